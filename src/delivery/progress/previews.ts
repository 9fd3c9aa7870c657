import { createHash } from 'node:crypto';
import type { Clock } from '@darkroom/time';
import mime from 'mime';
import type { FetchPreview, Preview, TaskProgress } from '../../jobs/delivery-port.ts';
import { hasEnded, type Job } from '../../jobs/job.ts';
import type { Message, MessageFile } from '../../messages/message.ts';
import type { EditedMessage } from '../message-api.ts';

/** How long an edit waits for its previews, and one that shows a change of state, in milliseconds. */
const WITHIN_MS = { progress: 1_500, stage: 400 };

/** How long none is tried after one could not be had, or Discord did not take one, in milliseconds. */
const PAUSE_MS = 15_000;

/** Of how many jobs previews are fetched and sent at once; the edits of others leave without. */
const AT_ONCE = 8;

type PreviewFiles = Pick<Message, 'files' | 'kept'>;

/** What the reply of one job shows of its unfinished pictures. */
export interface JobPreviews {
  /** The files of the next edit: those that it keeps, and what is new, which has to be fetched first. Never rejects. */
  next(
    job: Job,
    progress: readonly TaskProgress[],
    options: { kind: keyof typeof WITHIN_MS; alt: (task: number) => string; signal: AbortSignal },
  ): PreviewFiles | Promise<PreviewFiles>;
  /** The edit was sent, and these are its files now. */
  sent(files: EditedMessage['files']): void;
  /** It was not. `refused`: Discord will never take it. */
  failed(options: { refused: boolean }): void;
}

/** What is shown of one task. */
interface Slot {
  address: string;
  hash: string;
  /** Of its file at Discord. */
  id?: string | undefined;
}

/**
 * Previews are fetched when an edit leaves, and sent where they have changed. A service without them, one that is slow, and a
 * Discord that takes none cost nothing but the picture.
 */
export function createPreviews({ fetchPreview, clock }: { fetchPreview: FetchPreview; clock: Clock }) {
  let underWay = 0;

  return function previewsOf(): JobPreviews {
    let shown: ReadonlyMap<number, Slot> = new Map();
    let sending: Map<number, Slot> | undefined;
    let pausedUntil = 0;

    async function fetchAll(
      job: Job,
      addresses: ReadonlyMap<number, string>,
      options: { withinMs: number; signal: AbortSignal },
    ): Promise<Map<number, Preview>> {
      underWay += 1;
      try {
        const fetched = await Promise.all(
          [...addresses].map(async ([task, address]) => {
            const preview = await fetchPreview(job, address, options);
            return preview ? [[task, preview] as const] : [];
          }),
        );
        return new Map(fetched.flat());
      } finally {
        underWay -= 1;
      }
    }

    async function fetchNew(
      job: Job,
      addresses: ReadonlyMap<number, string>,
      { kind, alt, signal }: Parameters<JobPreviews['next']>[2],
    ): Promise<PreviewFiles> {
      const fetched = await fetchAll(job, addresses, { withinMs: WITHIN_MS[kind], signal });
      if (fetched.size === 0 && !signal.aborted) pausedUntil = clock.now() + PAUSE_MS;
      const slots = new Map(shown);
      const files: MessageFile[] = [];
      for (const [task, { bytes, contentType }] of fetched) {
        const hash = createHash('sha256').update(bytes).digest('base64');
        const before = shown.get(task);
        const isKept = before?.hash === hash || bytes.byteLength > job.attachmentLimit;
        slots.set(task, {
          address: addresses.get(task) ?? '',
          hash: isKept ? (before?.hash ?? '') : hash,
          id: isKept ? before?.id : undefined,
        });
        if (isKept) continue;
        files.push({
          name: `${job.spoiler ? 'SPOILER_' : ''}${stemOf(task)}${extensionOf(contentType)}`,
          bytes,
          contentType,
          alt: alt(task),
        });
      }
      sending = slots;
      return { files, kept: keptOf(slots, alt) };
    }

    return {
      next(job, progress, options) {
        sending = undefined;
        const addresses = addressesOf(job, progress);
        const isNew = [...addresses].some(([task, address]) => shown.get(task)?.address !== address);
        const mayFetch = underWay < AT_ONCE && clock.now() >= pausedUntil;
        return isNew && mayFetch ? fetchNew(job, addresses, options) : { kept: keptOf(shown, options.alt) };
      },

      sent(files) {
        if (!sending) return;
        for (const [task, slot] of sending) {
          slot.id ??= files.find(({ filename }) => filename.includes(stemOf(task)))?.id;
        }
        shown = sending;
      },

      failed({ refused }) {
        if (sending) pausedUntil = refused ? Number.POSITIVE_INFINITY : clock.now() + PAUSE_MS;
        sending = undefined;
      },
    };
  };
}

/** Where the previews are of those tasks that have not ended. What only its member may see in the end is not shown before. */
function addressesOf(job: Job, progress: readonly TaskProgress[]): Map<number, string> {
  if (!job.private && job.flagged === 'private') return new Map();
  return new Map(
    progress.flatMap(({ previewUrl, trouble }, task) => {
      const { [task]: one } = job.tasks;
      return previewUrl === undefined || trouble || !one || hasEnded(one) ? [] : [[task, previewUrl]];
    }),
  );
}

const stemOf = (task: number): string => `preview-${task + 1}.`;

const extensionOf = (contentType: string): string => mime.getExtension(contentType) ?? 'bin';

const keptOf = (slots: ReadonlyMap<number, Slot>, alt: (task: number) => string) =>
  [...slots].flatMap(([task, { id }]) => (id === undefined ? [] : [{ id, alt: alt(task) }]));
