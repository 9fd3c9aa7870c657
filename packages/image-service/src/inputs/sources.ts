import { PICTURE_LIMITS, type Submission } from '@darkroom/image-api/contract';
import { type Clock, HOUR_MS } from '@darkroom/time';
import { ApiError } from '../api-error.ts';
import type { ServiceDatabase } from '../database/database.ts';
import type { InputPicture } from '../engines/engine.ts';
import type { Files } from '../files/files.ts';
import { onPlace } from '../files/pictures-unavailable.ts';
import type { ServiceLimits } from '../limits.ts';
import { parentDrawing } from '../tasks/stored-drawing.ts';
import { type Bringing, type BroughtPicture, examinePicture } from './input-picture.ts';
import { FETCHES_MS, type PictureFetch } from './picture-fetch.ts';
import { createRoom, type Stay } from './room.ts';
import { requireResult, sourceOf } from './source-of.ts';
import { fileOfUpload, type Upload, type Uploads } from './uploads.ts';

/** Of a picture that a submission brings: its file, and what is kept of it where it hardly compresses. */
const BYTES = PICTURE_LIMITS.bytes + 4 * PICTURE_LIMITS.side.max ** 2;
/**
 * How many bytes of brought pictures may be in memory: of an account, as many as one submission can bring; of all
 * accounts, twelve pictures.
 */
const ROOM = { ofAccount: (PICTURE_LIMITS.count + 1) * BYTES, ofAll: 12 * BYTES };
/** How much longer than its task an input is kept. */
const MARGIN_MS = HOUR_MS;

/** A picture that a submission names, as it was found. */
interface FoundPicture extends Omit<InputPicture, 'file'> {
  /** Whether the service has it already. */
  isKept: boolean;
  /** In which ways it is not kept as it was brought. */
  warnings?: readonly string[];
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

/** Whose pictures are looked for, and for which workflow. */
interface Asking extends Bringing {
  workflow: string;
  /** When all that is fetched has to be there. */
  until: number;
}

/** Names what this service has already. */
const KEPT = /^(upload|task):(.*)$/is;
const isBrought = (name: string | undefined): boolean => name !== undefined && !KEPT.test(name);

export type Sources = ReturnType<typeof createSources>;
/** What a submission begins with. */
export type FoundSource = NonNullable<Awaited<ReturnType<Sources['find']>>>;

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
  files: Pick<Files, 'size' | 'extend'>;
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
      isKept: true,
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
    const size = await onPlace(files.size(picture));
    if (!size) throw notFound(name, 'its picture has expired');
    return {
      isKept: true,
      ...size,
      drawing: drawsBoth(task.workflow, workflow) ? parentDrawing(task.drawing) : undefined,
      async keep() {
        if (!(await files.extend(picture, clock.now() + limits.taskMs + MARGIN_MS)))
          throw notFound(name, 'its picture has expired');
        return { file: picture, name };
      },
    };
  }

  async function findBrought(brought: BroughtPicture, bringing: Bringing): Promise<FoundPicture> {
    const { width, height } = await brought.decoded(bringing);
    return {
      isKept: false,
      width,
      height,
      warnings: brought.warnings({ width, height }),
      async keep() {
        const upload: Upload = await uploads.keep(bringing, brought);
        return { file: fileOfUpload(upload), name: `upload:${upload.id}`, brought: upload.id };
      },
    };
  }

  async function find(name: string, parameter: string, asking: Asking): Promise<FoundPicture> {
    const { accountId, stay, until } = asking;
    const [, kind = '', id = ''] = KEPT.exec(name) ?? [];
    if (kind.toLowerCase() === 'upload') return findUpload(id.toLowerCase(), accountId);
    if (kind.toLowerCase() === 'task') return findTask(id.toLowerCase(), asking);
    const file = /^data:/i.test(name)
      ? bytesOf(name)
      : await pictures.fetch(name, { parameter, signal: stay?.signal, leftMs: until - clock.now() });
    return findBrought(await examinePicture(file), asking);
  }

  const inRoom = createRoom(ROOM);

  return {
    /**
     * Finds what a submission begins with and does something with it, while there is room for what it brings. Rejects
     * with an API error where there is none, or where somebody else has it.
     */
    within<Result>(
      { operation = 'generate', image, mask }: Submission,
      accountId: number,
      work: (stay?: Stay) => Promise<Result>,
    ): Promise<Result> {
      const brought = operation === 'generate' ? [] : [image, mask].flat().filter(isBrought);
      return brought.length > 0 ? inRoom(accountId, brought.length * BYTES, work) : work();
    },

    /**
     * What a submission begins with; undefined where that is words. Rejects with an API error where a picture is not
     * there, not taken, or too large for what is asked. Nothing is kept yet.
     */
    async find(submission: Submission, bringing: Bringing) {
      const { operation = 'generate', image = [], mask, workflow = 'default' } = submission;
      const asking = { ...bringing, workflow, until: clock.now() + FETCHES_MS };
      if (operation === 'generate') return undefined;
      const images: FoundPicture[] = [];
      // One after the other: together they could take more memory than there is.
      for (const name of [image].flat()) images.push(await find(name, 'image', asking));
      const masking =
        operation === 'edit' && mask !== undefined ? await find(mask, 'mask', asking) : undefined;
      const sourceWith = (kept?: ReadonlyMap<FoundPicture, KeptPicture>) => {
        const placed = (picture: FoundPicture) => inputPicture(picture, kept?.get(picture));
        return sourceOf(operation, submission, {
          images: images.map(placed),
          mask: masking && placed(masking),
        });
      };
      const source = sourceWith();
      requireResult(source);
      const all = [...images, ...(masking ? [masking] : [])];
      return {
        /** Of pictures whose files are not known yet. */
        source,
        /** In which ways its pictures are not kept as they were brought. */
        warnings: all.flatMap(({ warnings = [] }) => warnings),
        /** Keeps its pictures until the task has ended. */
        async keep() {
          const kept = new Map<FoundPicture, KeptPicture>();
          /** Lets go of what the submission brought: there will be no task. */
          const release = () => uploads.release([...kept.values()].flatMap(({ brought }) => brought ?? []));
          try {
            // What is here first: what is brought takes the room of uploads that nobody has used for long.
            for (const picture of all.toSorted((one, other) => Number(other.isKept) - Number(one.isKept)))
              kept.set(picture, await picture.keep());
            return {
              source: sourceWith(kept),
              madeFrom: images.flatMap((picture) => kept.get(picture)?.name ?? []),
              release,
            };
          } catch (error) {
            await release();
            throw error;
          }
        },
      };
    },
  };
}

/** As an engine is told of it; without a file as long as it is not kept. */
const inputPicture = ({ width, height, drawing }: FoundPicture, kept?: KeptPicture): InputPicture => ({
  file: kept?.file ?? '',
  width,
  height,
  ...(drawing && { drawing }),
});

const notFound = (name: string, why = 'this account has none of that name, or it has expired'): ApiError =>
  new ApiError('picture_not_found', `There is no picture ${name.slice(0, 60)}: ${why}.`);

/** The bytes in `data:image/png;base64,…`, which the contract has looked at. */
const bytesOf = (uri: string): Buffer => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
