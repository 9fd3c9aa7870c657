import { createHash } from 'node:crypto';
import { type Clock, createSemaphore } from '@darkroom/time';
import mime from 'mime';
import type { FetchPreview } from '../../jobs/delivery-port.ts';
import { isBehindSpoiler, type Job } from '../../jobs/job.ts';
import { hasEnded } from '../../jobs/job-task.ts';
import type { TaskProgress } from '../../jobs/task-progress.ts';
import type { Message, MessageFile } from '../../messages/message.ts';
import type { EditedMessage } from '../message-api.ts';

/** How long an edit waits for its previews, and how long one that shows a new stage, in milliseconds. */
const WITHIN_MS = { progress: 1_500, stage: 400 };

/** How long none is tried after one could not be had, or Discord did not take one, in milliseconds. */
const PAUSE_MS = 15_000;

/** Of how many jobs previews are fetched and sent at once; the edits of others leave without. */
const AT_ONCE = 8;

export interface PreviewFiles {
  /** Those that the edit keeps, and what is new. */
  files: Pick<Message, 'files' | 'kept'>;
  /** Whether that is anything else than what the reply shows. */
  changed: boolean;
}

/** What the reply of one job shows of its unfinished pictures. */
export type JobPreviews = ReturnType<ReturnType<typeof createPreviews>>;

interface EditOptions {
  kind: keyof typeof WITHIN_MS;
  alt: (task: number) => string;
  signal: AbortSignal;
}

interface Slot {
  address: string;
  hash: string;
  visible: Visibility;
  /** Of its file at Discord. */
  id?: string | undefined;
}

/**
 * Previews are fetched when an edit leaves, and sent where they have changed. A service without them, one that is
 * slow, and a Discord that takes none cost nothing but the picture.
 */
export function createPreviews({ fetchPreview, clock }: { fetchPreview: FetchPreview; clock: Clock }) {
  const fetches = createSemaphore(AT_ONCE);

  return function previewsOf() {
    let shown: ReadonlyMap<number, Slot> = new Map();
    let sending: { slots: ReadonlyMap<number, Slot>; hasNew: boolean } | undefined;
    let pausedUntil = 0;

    async function fetchNew(
      job: Job,
      progress: readonly TaskProgress[],
      addresses: ReadonlyMap<number, string>,
      kept: ReadonlyMap<number, Slot>,
      { kind, alt, signal }: EditOptions,
    ): Promise<PreviewFiles> {
      const fetching = [...addresses].map(async ([task, address]) => {
        const preview = await fetchPreview(job, address, { withinMs: WITHIN_MS[kind], signal });
        return preview ? [{ ...preview, task, address }] : [];
      });
      const fetched = (await Promise.all(fetching)).flat();
      if (fetched.length === 0 && !signal.aborted) pausedUntil = clock.now() + PAUSE_MS;
      const slots = new Map(kept);
      const files: MessageFile[] = [];
      for (const { task, address, bytes, contentType } of fetched) {
        const hash = createHash('sha256').update(bytes).digest('base64');
        const before = kept.get(task);
        const visible = visibilityOf(job, progress, task) ?? 'behind spoiler';
        const isKept = before?.hash === hash || bytes.byteLength > job.attachmentLimit;
        slots.set(task, isKept ? { hash: '', ...before, address, visible } : { hash, address, visible });
        if (isKept) continue;
        const extension = mime.getExtension(contentType) ?? 'bin';
        files.push({
          name: `${visible === 'open' ? '' : 'SPOILER_'}${stemOf(task)}${extension}`,
          bytes,
          alt: alt(task),
        });
      }
      return send(slots, files, alt);
    }

    function send(
      slots: ReadonlyMap<number, Slot>,
      files: MessageFile[],
      alt: (task: number) => string,
    ): PreviewFiles {
      const hasNew = files.length > 0;
      sending = { slots, hasNew };
      const changed = hasNew || [...shown.keys()].some((task) => !slots.has(task));
      const kept = [...slots].flatMap(([task, { id }]) => (id === undefined ? [] : [{ id, alt: alt(task) }]));
      return { files: { files, kept }, changed };
    }

    return {
      /** The files of the next edit; what is new has to be fetched first. Never rejects. */
      next(
        job: Job,
        progress: readonly TaskProgress[],
        options: EditOptions,
      ): PreviewFiles | Promise<PreviewFiles> {
        sending = undefined;
        const kept = new Map(
          [...shown].filter(([task, { visible }]) => visible === visibilityOf(job, progress, task)),
        );
        const addresses = addressesOf(job, progress);
        const isNew = [...addresses].some(([task, address]) => kept.get(task)?.address !== address);
        const release = isNew && clock.now() >= pausedUntil ? fetches.tryAcquire(1) : undefined;
        return release
          ? fetchNew(job, progress, addresses, kept, options).finally(release)
          : send(kept, [], options.alt);
      },

      /** The edit was sent, and these are its files now. */
      sent(files: EditedMessage['files']): void {
        if (!sending) return;
        for (const [task, slot] of sending.slots) {
          slot.id ??= files.find(({ filename }) => filename.includes(stemOf(task)))?.id;
        }
        shown = sending.slots;
      },

      /** It was not. `refused`: Discord will never take it. */
      failed({ refused }: { refused: boolean }): void {
        if (sending?.hasNew) pausedUntil = refused ? Number.POSITIVE_INFINITY : clock.now() + PAUSE_MS;
        sending = undefined;
      },
    };
  };
}

type Visibility = 'open' | 'behind spoiler';

/** How the preview of a task may be seen, which is as its picture would be; undefined where it may not. */
function visibilityOf(job: Job, progress: readonly TaskProgress[], task: number): Visibility | undefined {
  const { [task]: one } = job.tasks;
  if (!one || one.state === 'failed' || (job.flagged === 'private' && !job.private)) return undefined;
  const isFlagged = job.input?.flagged || progress[task]?.flagged;
  const isHidden = isFlagged && job.flagged === 'spoiler';
  return isHidden || isBehindSpoiler(job, one) ? 'behind spoiler' : 'open';
}

/** Where the previews are of those tasks that have not ended. */
const addressesOf = (job: Job, progress: readonly TaskProgress[]): Map<number, string> =>
  new Map(
    progress.flatMap(({ previewUrl, trouble }, task) => {
      const { [task]: one } = job.tasks;
      const isShown = one && !hasEnded(one) && !trouble && visibilityOf(job, progress, task);
      return previewUrl !== undefined && isShown ? [[task, previewUrl]] : [];
    }),
  );

const stemOf = (task: number): string => `preview-${task + 1}.`;
