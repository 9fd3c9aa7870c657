import { buffer } from 'node:stream/consumers';
import { PICTURE_LIMITS, type Submission, type TaskOperation } from '@darkroom/image-api';
import type { Clock } from '@darkroom/time';
import sharp from 'sharp';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { InputPicture, Margins, Source } from '../engines/engine.ts';
import type { Size } from '../engines/size.ts';
import type { Files } from '../files/files.ts';
import { withPlace } from '../files/pictures-unavailable.ts';
import type { ServiceLimits } from '../limits.ts';
import { parentDrawing } from '../tasks/stored-drawing.ts';
import { type BroughtPicture, examinePicture } from './input-picture.ts';
import type { PictureFetch } from './picture-fetch.ts';
import { fileOfUpload, type Upload, type Uploads } from './uploads.ts';

/** How much an edit changes unless a submission says it. */
const STRENGTH = 0.75;
const SCALE = 2;
/** How much longer than its task an input is kept. */
const MARGIN_MS = 60 * 60_000;

/** A picture that a submission names, as it was found. */
interface FoundPicture extends Omit<InputPicture, 'file'> {
  /** Keeps it for as long as a task may need it. */
  keep(): Promise<KeptPicture>;
}

interface KeptPicture {
  /** In the place for pictures. */
  file: string;
  /** `upload:ID` or `task:ID`. */
  name: string;
  /** The upload that it has become, where it was none. */
  brought?: string;
}

/** What a submission begins with. */
export interface FoundSource {
  /** Of pictures whose files are not known yet. */
  source: Source;
  /** Keeps its pictures until the task has ended. */
  keep(): Promise<KeptSource>;
}

export interface KeptSource {
  source: Source;
  /** The names of its pictures. */
  madeFrom: string[];
  /** Lets go of what the submission brought: there will be no task. */
  release(): Promise<void>;
}

/** Whose pictures are looked for, and for which workflow. */
interface Asking {
  accountId: number;
  workflow: string;
}

export type Sources = ReturnType<typeof createSources>;

/** Finds the pictures that submissions begin with. */
export function createSources({
  db,
  uploads,
  files,
  pictures,
  drawsBoth,
  clock,
  limits,
}: {
  db: ServiceDatabase;
  uploads: Uploads;
  files: Pick<Files, 'open' | 'extend'>;
  pictures: Pick<PictureFetch, 'fetch'>;
  /** Whether one engine draws both workflows. */
  drawsBoth(one: string, other: string): boolean;
  clock: Clock;
  limits: Pick<ServiceLimits, 'taskMs'>;
}) {
  async function findUpload(id: string, accountId: number): Promise<FoundPicture> {
    const name = `upload:${id}`;
    const upload = await uploads.find(id, accountId);
    if (!upload) throw notFound(name);
    const { width, height } = upload;
    return {
      width,
      height,
      async keep() {
        const kept = await uploads.use(id, accountId);
        if (!kept) throw notFound(name);
        return { file: fileOfUpload(kept), name };
      },
    };
  }

  async function findTask(id: string, { accountId, workflow }: Asking): Promise<FoundPicture> {
    const name = `task:${id}`;
    const task = await db
      .selectFrom('tasks')
      .select(['state', 'picture', 'drawing', 'workflow'])
      .where('id', '=', id)
      .where('accountId', '=', accountId)
      .executeTakeFirst();
    if (!task) throw notFound(name);
    const { picture, state } = task;
    if (state === 'pending' || state === 'processing')
      throw notFound(name, 'its task is not completed yet: wait for its end');
    if (picture === null) throw notFound(name, 'its task has failed and has no picture');
    const found = await withPlace(files.open(picture));
    if (!found) throw notFound(name, 'its picture has expired');
    const { width, height } = await sharp(await buffer(found.stream)).metadata();
    return {
      width,
      height,
      drawing: drawsBoth(task.workflow, workflow) ? parentDrawing(task.drawing) : undefined,
      async keep() {
        if (!(await files.extend(picture, clock.now() + limits.taskMs + MARGIN_MS)))
          throw notFound(name, 'its picture has expired');
        return { file: picture, name };
      },
    };
  }

  async function findBrought(brought: BroughtPicture, accountId: number): Promise<FoundPicture> {
    const { width, height } = await brought.decoded();
    return {
      width,
      height,
      async keep() {
        const upload: Upload = await uploads.keep(accountId, brought);
        return { file: fileOfUpload(upload), name: `upload:${upload.id}`, brought: upload.id };
      },
    };
  }

  async function find(name: string, parameter: string, asking: Asking): Promise<FoundPicture> {
    const { accountId } = asking;
    const [, kind = '', id = ''] = /^(upload|task):(.*)$/is.exec(name) ?? [];
    if (kind.toLowerCase() === 'upload') return findUpload(id.toLowerCase(), accountId);
    if (kind.toLowerCase() === 'task') return findTask(id.toLowerCase(), asking);
    const file = /^data:/i.test(name)
      ? bytesOf(name, parameter)
      : await pictures.fetch(name, { parameter, accountId });
    return findBrought(await examinePicture(file), accountId);
  }

  return {
    /**
     * What a submission begins with; undefined where that is words. Rejects with an API error where a picture is not there,
     * not taken, or too large for what is asked. Nothing is kept yet.
     */
    async find(submission: Submission, accountId: number): Promise<FoundSource | undefined> {
      const { operation = 'generate', image = [], mask, workflow = 'default' } = submission;
      const asking = { accountId, workflow };
      if (operation === 'generate') return undefined;
      const images: FoundPicture[] = [];
      // One after the other: together they could take more memory than there is.
      for (const name of [image].flat()) images.push(await find(name, 'image', asking));
      const masking =
        operation === 'edit' && mask !== undefined ? await find(mask, 'mask', asking) : undefined;
      const source = sourceOf(operation, submission, {
        images: images.map(unplaced),
        mask: masking && unplaced(masking),
      });
      requireResult(source);
      return {
        source,
        async keep() {
          const kept: KeptPicture[] = [];
          const release = () => uploads.release(kept.flatMap(({ brought }) => brought ?? []));
          try {
            for (const picture of [...images, ...(masking ? [masking] : [])]) kept.push(await picture.keep());
          } catch (error) {
            await release();
            throw error;
          }
          const placed = images.map((picture, at) => ({ ...unplaced(picture), file: kept[at]?.file ?? '' }));
          const maskFile = masking && { ...unplaced(masking), file: kept.at(-1)?.file ?? '' };
          return {
            source: sourceOf(operation, submission, { images: placed, mask: maskFile }),
            madeFrom: kept.slice(0, images.length).map(({ name }) => name),
            release,
          };
        },
      };
    },
  };
}

const unplaced = ({ width, height, drawing }: FoundPicture): InputPicture => ({
  file: '',
  width,
  height,
  ...(drawing && { drawing }),
});

/** What is to be made of pictures that were found. Throws an API error where they do not fit together. */
function sourceOf(
  operation: Exclude<TaskOperation, 'generate'>,
  { strength = STRENGTH, scale = SCALE, expand = {} }: Submission,
  { images, mask }: { images: readonly InputPicture[]; mask: InputPicture | undefined },
): Source {
  const [image] = images;
  // The contract has seen that there is one.
  if (!image) throw new Error('an operation begins with a picture');
  switch (operation) {
    case 'edit':
      if (mask) requireSameSize(image, mask);
      return { operation, images, strength, ...(mask && { mask }) };
    case 'upscale':
      return { operation, image, scale };
    case 'expand':
      return { operation, image, margins: marginsOf(expand) };
    case 'remove_background':
      return { operation, image };
  }
}

const marginsOf = ({
  left = 0,
  top = 0,
  right = 0,
  bottom = 0,
}: NonNullable<Submission['expand']>): Margins => ({
  left,
  top,
  right,
  bottom,
});

function requireSameSize(image: InputPicture, mask: InputPicture): void {
  if (mask.width === image.width && mask.height === image.height) return;
  throw new ApiError(
    'invalid_request',
    `mask has ${mask.width} × ${mask.height} pixels and image ${image.width} × ${image.height}: send a mask of the same size.`,
    { details: { field: 'mask' } },
  );
}

/** The pictures that something begins with, without its mask. */
const picturesOf = (source: Source): readonly InputPicture[] =>
  source.operation === 'edit' ? source.images : [source.image];

/** The size of what is made, in pixels; of an edit, unless the submission says another. */
export function sizeOfResult(source: Source): Size {
  const { width = 0, height = 0 } = picturesOf(source)[0] ?? {};
  switch (source.operation) {
    case 'upscale':
      return { width: width * source.scale, height: height * source.scale };
    case 'expand': {
      const { left, top, right, bottom } = source.margins;
      return { width: left + width + right, height: top + height + bottom };
    }
    default:
      return { width, height };
  }
}

/** The parameter that makes the result large. */
const ENLARGING = { edit: 'image', upscale: 'scale', expand: 'expand', remove_background: 'image' } as const;

function requireResult(source: Source): void {
  const { width, height } = sizeOfResult(source);
  const max = PICTURE_LIMITS.resultSide;
  if (Math.max(width, height) <= max) return;
  throw new ApiError(
    'parameter_out_of_range',
    `The result would have ${width} × ${height} pixels, and may have at most ${max} on each side: choose a smaller ${ENLARGING[source.operation]}.`,
    { details: { field: ENLARGING[source.operation], max } },
  );
}

const notFound = (name: string, why = 'this account has none of that name, or it has expired'): ApiError =>
  new ApiError('picture_not_found', `There is no picture ${name.slice(0, 60)}: ${why}.`);

/** The bytes in `data:image/png;base64,…`. */
function bytesOf(uri: string, parameter: string): Buffer {
  const comma = uri.indexOf(',');
  const head = uri.slice(0, comma);
  const text = uri.slice(comma + 1);
  if (comma < 0 || !/^data:image\/[\w.+-]{1,50};base64$/i.test(head) || !/^[\w+/-]+={0,2}$/.test(text)) {
    throw new ApiError(
      'invalid_request',
      `${parameter} has to be data:image/…;base64,… where it begins with data:.`,
      {
        details: { field: parameter },
      },
    );
  }
  return Buffer.from(text, 'base64');
}
