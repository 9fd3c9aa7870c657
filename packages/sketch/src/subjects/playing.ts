import { COLOURS, type ColourName } from '../lexicon/colours.ts';
import type { SubjectKind } from '../lexicon/subjects.ts';
import type { Random } from '../random.ts';
import type { Actor, Pose, Scene } from '../scene.ts';
import { CAST } from './cast.ts';
import { type Figure, fill, type Likeness, line } from './figure.ts';
import { POSES } from './poses.ts';
import { SADDLES } from './saddles.ts';

const WEARERS: ReadonlySet<SubjectKind> = new Set<SubjectKind>(['person', 'wizard']);

/** Lies between rider and mount. */
const CLOTH =
  fill('#a8323a', 'M32 62C42 68 60 68 72 62L76 86C64 92 42 92 30 86Z') +
  line('#e8b64c', 1.8, 'M31 82C43 88 64 88 75 82');

/** The drawing of an actor in its pose, with whoever rides on it. */
export function figureOf(scene: Scene, { kind, coat, pose, rider, traits: own, stream }: Actor): Figure {
  const { features, traits } = scene.likeness;
  const likeness: Likeness = {
    eyes: features.eyes && COLOURS[features.eyes],
    hair: features.hair && COLOURS[features.hair],
    traits: new Set(own ?? traits),
  };
  const dress = (who: SubjectKind, coat: ColourName | undefined) => {
    const colour = coat ?? (WEARERS.has(who) ? features.clothes : undefined);
    return colour && COLOURS[colour];
  };
  const draw = (who: SubjectKind, how: Pose | undefined, colour: ColourName | undefined, random: Random) =>
    ((how && POSES[how][who]) ?? CAST[who])(random, dress(who, colour), likeness);

  const mount = draw(kind, pose, coat, scene.streams(stream));
  const saddle = rider && SADDLES[kind];
  if (!saddle) return mount;
  const seated = draw(rider.kind, 'seated', rider.coat, scene.streams(`rider of ${stream}`));
  const turn = saddle.turned ? -saddle.size : saddle.size;
  const lift = (drawing: string) =>
    `<g transform="translate(${saddle.x} ${saddle.y}) scale(${turn} ${saddle.size}) translate(-50 -68)">${drawing}</g>`;
  return {
    body: mount.body + lift((saddle.bare ? '' : CLOTH) + seated.body),
    glow: (mount.glow ?? '') + (seated.glow ? lift(seated.glow) : ''),
  };
}
