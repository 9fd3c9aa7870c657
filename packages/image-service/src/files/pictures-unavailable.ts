import { ApiError } from '../api-error.ts';
import { FilesUnavailable, type PlaceProblem } from './file-place.ts';

/** A place is tried again every two seconds; whoever makes room in it needs longer. */
const RETRY_SECONDS = '30';

/** The error for what needs the place for pictures, while that is out of order. */
export const picturesUnavailable = (problem: PlaceProblem): ApiError =>
  new ApiError(
    'pictures_unavailable',
    `No picture can be stored at the moment: the place for pictures ${problem}. Nothing was queued or charged; try again later.`,
    { headers: { 'retry-after': RETRY_SECONDS } },
  );

/** What `work` does in the place; where that is out of order, it rejects with this error. */
export const onPlace = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    throw error instanceof FilesUnavailable ? picturesUnavailable(error.problem) : error;
  });
