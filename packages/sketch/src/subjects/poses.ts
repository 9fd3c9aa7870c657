import type { SubjectKind } from '../lexicon/subjects.ts';
import type { Pose, Scene } from '../scene.ts';
import { bust, wizardBust } from './bust.ts';
import { foxFace, wolfFace } from './canines.ts';
import { CAST } from './cast.ts';
import type { Draw } from './figure.ts';
import { ledCamel } from './hoofed.ts';
import { riders } from './riders.ts';
import { divingWhale } from './whale.ts';

/** A whole figure from so near that only head and shoulders are left: (x, y) comes to the middle. */
function near(draw: Draw, x: number, y: number, size: number): Draw {
  const closer = (drawing: string) =>
    `<g transform="translate(50 46) scale(${size}) translate(${-x} ${-y})">${drawing}</g>`;
  return (random, coat, likeness) => {
    const { body, glow } = draw(random, coat, likeness);
    return { body: closer(body), ...(glow === undefined ? {} : { glow: closer(glow) }) };
  };
}

export const POSES: Record<Pose, Partial<Record<SubjectKind, Draw>>> = {
  close: {
    person: bust,
    wizard: wizardBust,
    knight: near(CAST.knight, 50, 25, 2.1),
    samurai: near(CAST.samurai, 48, 25, 2.1),
    astronaut: near(CAST.astronaut, 50, 28, 1.8),
    robot: near(CAST.robot, 50, 30, 1.5),
    horse: near(CAST.horse, 28, 36, 1.8),
    unicorn: near(CAST.unicorn, 28, 24, 1.35),
    deer: near(CAST.deer, 34, 32, 1.7),
    dragon: near(CAST.dragon, 24, 32, 1.35),
    cat: CAST.cat,
    tiger: CAST.tiger,
    dog: CAST.dog,
    fox: foxFace,
    wolf: wolfFace,
    owl: CAST.owl,
    penguin: CAST.penguin,
  },
  submerged: { whale: divingWhale },
  seated: riders,
  ridden: { camel: ledCamel },
};

/** The pose that a setting asks of a kind that has a rider or none. */
export function poseOf(
  { place, framing }: Pick<Scene, 'place' | 'framing'>,
  kind: SubjectKind,
  ridden: boolean,
): Pose | undefined {
  const asked: readonly [Pose, boolean][] = [
    ['submerged', place === 'underwater'],
    ['ridden', ridden],
    ['close', framing === 'portrait' && !ridden],
  ];
  return asked.find(([pose, wanted]) => wanted && POSES[pose][kind] !== undefined)?.[0];
}
