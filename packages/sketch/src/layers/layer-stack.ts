import type { Scene } from '../scene.ts';
import { abstraction } from './abstraction.ts';
import { actors } from './actors.ts';
import { backcloth } from './backcloth.ts';
import { clouds } from './clouds.ts';
import { depths } from './depths.ts';
import { device } from './device.ts';
import { blown, drifting } from './drifting.ts';
import { earthrise } from './earthrise.ts';
import { flock } from './flock.ts';
import { ground } from './ground.ts';
import type { Layer } from './layer.ts';
import { luminary } from './luminary.ts';
import { moons } from './moons.ts';
import { nebula } from './nebula.ts';
import { paving } from './paving.ts';
import { ridges } from './ridges.ts';
import { road } from './road.ts';
import { shelf } from './shelf.ts';
import { sky } from './sky.ts';
import { skyline } from './skyline.ts';
import { aurora, stars } from './stars.ts';
import { lightning, rain } from './storm.ts';
import { tabletop } from './tabletop.ts';
import { frame, trees } from './trees.ts';
import { wall } from './wall.ts';
import { water } from './water.ts';
import { fog, mist, rainbow } from './weather.ts';
import { window } from './window.ts';

/** The layers of a scene, back to front. */
interface LayerStack {
  /** What is furthest away: the sky, or all that surrounds. */
  sky: readonly Layer[];
  /** From the horizon to what the subjects stand on. */
  land: readonly Layer[];
  subjects: readonly Layer[];
  /** What is between them and us. */
  air: readonly Layer[];
}

const OUTDOORS: LayerStack = {
  sky: [sky, aurora],
  land: [
    stars,
    earthrise,
    moons,
    luminary,
    clouds,
    rainbow,
    lightning,
    flock,
    ridges,
    skyline,
    trees,
    water,
    fog,
    ground,
    paving,
    road,
  ],
  subjects: [actors, frame],
  air: [mist, drifting, blown, rain],
};

export function layerStackOf(scene: Scene): LayerStack {
  switch (scene.place) {
    case 'space':
      return { sky: [nebula], land: [stars], subjects: [actors], air: [drifting] };
    case 'underwater':
      return { sky: [depths], land: [], subjects: [actors], air: [drifting] };
    case 'table':
      return { sky: [wall], land: [window, shelf, tabletop], subjects: [actors], air: [drifting] };
    case 'studio':
      return { sky: [backcloth], land: [device], subjects: [actors], air: [drifting] };
    case 'abstract':
      return { sky: [abstraction], land: [], subjects: [actors], air: [drifting, blown, rain] };
    default:
      return OUTDOORS;
  }
}
