import type { Workflow } from '../../contract/limits.ts';
import type { Work } from '../engines/work.ts';
import type { PriceList } from '../settings.ts';

/** What a drawing costs, in credits, down to a thousandth. */
export type Price = (work: Work & { workflow: Workflow }) => number;

/** The price by a list; a workflow that is not in it costs one credit. */
export function createPrice(list: PriceList = {}): Price {
  return ({ workflow, pixels, steps }) => {
    const { picture, megapixel, step } = list[workflow] ?? { picture: 1, megapixel: 0, step: 0 };
    return picture + (megapixel * pixels) / 1_000_000 + step * steps;
  };
}
