import type { Canvas } from '../canvas.ts';
import type { Scene } from '../scene.ts';
import { svg } from '../svg.ts';
import { MILLI } from '../vector.ts';

/** A place of its own for what is strewn over a scene's frame: x becomes `x + turnX * x`, in picture heights. */
interface Place {
  x: number;
  y: number;
  /** -1 where it is mirrored. */
  turnX: 1 | -1;
  turnY: 1 | -1;
}

interface Strewn {
  /** It covers the frame's whole height and has no up and down: mirrored above and below the frame. */
  everywhere?: boolean;
  /** It falls aslant: never mirrored. */
  slanted?: boolean;
  /** Covers so much of the frame from its upper border, or to its lower one: once more above, or below. */
  above?: number;
  below?: number;
}

/**
 * Where what is strewn over the scene's frame is drawn, so that it covers all that the canvas shows: mirrored at the
 * sides, as then whatever stands across a border goes on there, and last in its own place.
 */
export function placesOf({ area }: Canvas, { aspect }: Scene, strewn: Strewn = {}): Place[] {
  const { everywhere = false, slanted = false } = strewn;
  const above = everywhere || slanted ? 1 : strewn.above;
  const below = everywhere || slanted ? 1 : strewn.below;
  const columns = tiles(area.left / aspect, area.right / aspect).map((tile) =>
    placed(tile, aspect, !slanted),
  );
  const rows = tiles(
    above === undefined ? 0 : area.top / above,
    below === undefined ? 1 : 1 + (area.bottom - 1) / below,
  ).map((tile) => placed(tile, (tile < 0 ? above : below) ?? 0, everywhere));
  return rows.flatMap(([y, turnY]) => columns.map(([x, turnX]) => ({ x, y, turnX, turnY })));
}

/** Numbers of the tiles of length 1 that cover a stretch, tile 0 last. */
function tiles(from: number, to: number): number[] {
  const first = Math.floor(from + TOLERANCE);
  const last = Math.ceil(to - TOLERANCE) - 1;
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return [...all.filter((tile) => tile !== 0), 0];
}

const TOLERANCE = 1e-9;

const placed = (tile: number, size: number, mirrored: boolean): [at: number, turn: 1 | -1] =>
  mirrored && tile % 2 !== 0 ? [(tile + 1) * size, -1] : [tile * size, 1];

/** A position as it is in such a place. */
export const moved = (x: number, y: number, place: Place): { x: number; y: number } => ({
  x: place.x + place.turnX * x,
  y: place.y + place.turnY * y,
});

export const repeated = (elements: string, places: readonly Place[]): string =>
  places.length === 1 ? elements : places.map((place) => inPlace(elements, place)).join('');

const inPlace = (elements: string, { x, y, turnX, turnY }: Place) =>
  svg`<g transform="translate(${x * MILLI} ${y * MILLI}) scale(${turnX} ${turnY})">${elements}</g>`;
