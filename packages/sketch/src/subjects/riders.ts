import type { Oklch } from '../colour.ts';
import type { SubjectKind } from '../lexicon/subjects.ts';
import { CAST } from './cast.ts';
import { type Draw, fill, limb, shades } from './figure.ts';

/** One who walks, as one who sits with the hip at (50, 68): the legs make way for one that hangs down our side. */
function astride(draw: Draw, leg: (coat: Oklch | undefined) => string, boot: string, thick = 1): Draw {
  return (random, coat, likeness) => {
    const { body, glow } = draw(random, coat, likeness);
    return {
      body: `<clipPath id="lap"><rect x="-60" y="-60" width="220" height="127"/></clipPath><g clip-path="url(#lap)">${body}</g>${fill(
        leg(coat),
        limb([51, 64, 8 * thick], [43, 74, 6.6 * thick], [41, 84, 5.4 * thick], [42, 95, 4.4 * thick]),
      )}${fill(boot, limb([42, 96, 5 * thick], [35.4, 98, 4 * thick]))}`,
      ...(glow === undefined ? {} : { glow }),
    };
  };
}

/** One who sits anyway, perched on the back. */
function perched(draw: Draw): Draw {
  return (random, coat, likeness) => ({
    body: `<g transform="translate(50 72) scale(0.66) translate(-50 -97)">${draw(random, coat, likeness).body}</g>`,
  });
}

const base = (usual: Oklch) => (coat: Oklch | undefined) => shades(coat ?? usual).base;

/** Who can sit on a mount, as they do. */
export const riders: Partial<Record<SubjectKind, Draw>> = {
  person: astride(CAST.person, () => '#39426a', '#4a3129', 0.8),
  wizard: astride(CAST.wizard, base([0.42, 0.13, 285]), '#4a3129'),
  knight: astride(CAST.knight, base([0.7, 0.02, 250]), '#5a5d6b', 0.9),
  astronaut: astride(CAST.astronaut, base([0.93, 0.01, 250]), '#5f6a80'),
  robot: astride(CAST.robot, () => '#4a5268', '#333a4d', 0.8),
  cat: perched(CAST.cat),
  dog: perched(CAST.dog),
  fox: perched(CAST.fox),
  tiger: perched(CAST.tiger),
  bear: perched(CAST.bear),
  rabbit: perched(CAST.rabbit),
  owl: perched(CAST.owl),
  bird: perched(CAST.bird),
  penguin: perched(CAST.penguin),
};
