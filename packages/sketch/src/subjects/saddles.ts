import type { SubjectKind } from '../lexicon/subjects.ts';

/** Where a rider sits on a mount, in the mount's box, and how large against it. */
interface Saddle {
  x: number;
  y: number;
  size: number;
  /** The mount looks to the right. */
  turned?: boolean;
  /** No cloth lies on it. */
  bare?: boolean;
}

export const SADDLES: Partial<Record<SubjectKind, Saddle>> = {
  horse: { x: 54, y: 47, size: 0.74 },
  unicorn: { x: 54, y: 47, size: 0.74 },
  deer: { x: 57, y: 53, size: 0.62 },
  camel: { x: 58, y: 42, size: 0.62, bare: true },
  elephant: { x: 60, y: 33, size: 0.5 },
  dragon: { x: 47, y: 51, size: 0.5 },
  whale: { x: 34, y: 46, size: 0.36 },
  turtle: { x: 56, y: 34, size: 0.46 },
  bicycle: { x: 30, y: 46, size: 0.86, turned: true, bare: true },
};
