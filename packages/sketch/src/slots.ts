import { HABITATS } from './habitat.ts';
import type { SubjectKind } from './lexicon/subjects.ts';
import { PLACELESS } from './placing.ts';
import { between, type Random } from './random.ts';
import type { Role } from './roles.ts';
import type { Pose, Setting } from './scene.ts';

/** A role with its pose, as the `index`th `of` so many. */
export interface Part extends Role {
  pose: Pose | undefined;
  index: number;
  of: number;
  /** Its height among the others, where they stand side by side. */
  among: number | undefined;
}

/** A place that an arrangement keeps for one of its parts: foot at (x, y), `size` high, in picture heights. */
export interface Slot {
  x: number;
  y: number;
  size: number;
}

/** Who is cut off at the chest close by; the others sit. */
const BUSTS: ReadonlySet<SubjectKind> = new Set<SubjectKind>([
  'person',
  'wizard',
  'knight',
  'samurai',
  'astronaut',
  'robot',
  'horse',
  'unicorn',
  'deer',
  'dragon',
]);

/** Faces that fill the picture, side by side, cut off by its lower edge. */
export function beforeTheCamera({ aspect }: Setting, { kind, index, of }: Part): Slot {
  const bust = BUSTS.has(kind);
  const size =
    Math.min(1, aspect * 1.3) * (bust ? 0.97 : of === 1 ? 1.16 : 0.86) * ([1, 0.74, 0.6][of - 1] ?? 0.5);
  const lane = of === 1 ? 0.5 : 0.28 + (0.44 * index) / (of - 1);
  return { x: lane * aspect, y: bust ? 1.04 : 1.01 + size * 0.18, size };
}

/** A still life: the first in front and in the middle, the others behind at its sides. */
export function onTheTable(
  { aspect }: Setting,
  { kind, index }: Part,
  horizon: number,
  random: Random,
): Slot {
  const measure = Math.min(1.16, aspect * 1.1);
  const size = HABITATS[kind].size * measure * (index === 0 ? 1.1 : 0.72) * between(random, 0.95, 1.05);
  const lane = [0.5, 0.22, 0.78][index % 3] ?? 0.5;
  const reach = Math.min(1, 1.2 / aspect);
  const depth = index === 0 ? 0.68 : between(random, 0.16, 0.28);
  return {
    x: (0.5 + (lane - 0.5) * reach + between(random, -0.02, 0.02)) * aspect,
    y: horizon + (1 - horizon) * depth,
    size,
  };
}

/** Drawings that are much wider than they are high. */
const WIDE: ReadonlySet<SubjectKind> = new Set<SubjectKind>([
  'whale',
  'train',
  'car',
  'dragon',
  'camel',
  'boat',
  'ship',
  'rowboat',
  'bicycle',
]);

/** Several of a kind: spread over the width, each nearer or further than its neighbour. */
export function inCompany(setting: Setting, part: Part, horizon: number, random: Random): Slot {
  const { aspect, framing, place } = setting;
  const { kind, index, of } = part;
  const habitat = HABITATS[kind];
  const near = index % 2 === 0 ? between(random, 0.75, 1) : between(random, 0.1, 0.35);
  const share = [0.95, 0.8, 0.66, 0.54, 0.46][of - 1] ?? 0.46;
  const size =
    (part.among ?? habitat.size) *
    Math.min(1, aspect * 1.05) *
    share *
    (kind === 'whale' ? 0.72 : WIDE.has(kind) ? 0.84 : 1) *
    (framing === 'vista' ? 0.8 : 1) *
    (0.8 + 0.26 * near);
  const margin = Math.min(0.25, (size * (kind === 'whale' ? 0.76 : 0.56)) / aspect);
  const lane = margin + (1 - 2 * margin) * ((index + 0.5 + between(random, -0.14, 0.14)) / of);
  const land = 1 - horizon;
  const level = () => {
    if (PLACELESS.has(place)) return 0.3 + 0.34 * near + size / 2;
    if (habitat.footing === 'air') return Math.max(size + 0.04, 0.22 + 0.24 * near + size / 2);
    if (habitat.footing === 'water') return horizon + land * (0.2 + 0.4 * near);
    if (habitat.far) return horizon + land * (0.3 + 0.3 * near);
    return horizon + land * (0.48 + 0.36 * near);
  };
  return { x: lane * aspect, y: level(), size };
}
