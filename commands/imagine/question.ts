import { messageLink } from 'discord.js';
import type { Credential } from '../../src/credentials/credentials.ts';
import { explainFailures } from '../../src/delivery/explain-failure.ts';
import { linkToJob } from '../../src/delivery/job-links.ts';
import { button, customId, rowsOf } from '../../src/messages/buttons.ts';
import { foreignText } from '../../src/messages/foreign-text.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import type { Message } from '../../src/messages/message.ts';
import type { Price } from '../../src/requests/prices.ts';
import type { Invocation } from './invocation.ts';
import type { ResolvedRequest } from './resolve-request.ts';
import type { Rules } from './rules.ts';

/** How long a price may take, in real milliseconds, where nobody knows whether the service tells one. */
const QUICKLY_MS = 400;

/** How long a question waits for its price. */
const PRICE_MS = 4_000;

/** Of each prompt that is shown. */
const PROMPT_CHARACTERS = 150;

/** `exposed`: strangers would see what is private, or a picture of the member's own. */
type AskedRequest = ResolvedRequest & { exposed: boolean };

/**
 * What a member is asked before this is paid for; its message may have to wait for the price. Undefined where they are
 * not asked: it is one picture, or as many as they have typed, and the service tells no price, or they do not want to
 * be asked. What is `exposed` is always asked about.
 */
export async function questionOf(
  invocation: Invocation,
  request: AskedRequest,
  credential: Credential,
  { own }: Rules,
  draftId: string,
): Promise<{ message: Promise<Message> } | undefined> {
  const { prices } = invocation.context.requests;
  if (request.count === 1 && !request.exposed) return undefined;
  const priced = (withinMs: number) => prices.of(request, { apiKey: credential.apiKey, withinMs });
  const ask = (price: Price | undefined) => render(invocation, request, price, credential, draftId);
  if (request.prompts || request.exposed) return { message: priced(PRICE_MS).then(ask) };
  if (!own.asksPrice) return undefined;
  if (prices.areTold()) return { message: priced(PRICE_MS).then(ask) };
  const price = await priced(QUICKLY_MS);
  return price && { message: Promise.resolve(ask(price)) };
}

/** Answers with a question about the draft of this interaction. `settleQuestion` replaces it once the draft is a job. */
export async function askAbout(
  { caller: { interaction }, reply, context }: Invocation,
  message: Promise<Message>,
): Promise<void> {
  await reply.answer(message);
  context.requests.questions.set(interaction.id, reply.editReply);
}

/**
 * Puts where the pictures are made in place of a question and its buttons, as long as the token of the question lives.
 * Nobody waits for it. `messageId`: where everybody sees them.
 */
export function settleQuestion(
  { caller: { channelId, guildId }, texts, context }: Invocation,
  draftId: string,
  messageId: string | undefined,
): void {
  const link = messageId === undefined ? undefined : messageLink(channelId, messageId, guildId ?? '@me');
  const edit = context.requests.questions.get(draftId);
  edit?.({ content: texts.confirm.begun.asked(link) }).catch((error: unknown) =>
    context.log.info({ err: error, draft: draftId }, 'a question still shows its buttons'),
  );
}

function render(
  { texts }: Invocation,
  { prompts, input, count, exposed }: AskedRequest,
  price: Price | undefined,
  { payer }: Credential,
  draftId: string,
): Message {
  const { question, source } = texts;
  const lines = [
    ...(exposed ? [input?.own ? source.seen : question.seen] : []),
    ...(count > 1 ? [question.pictures(count)] : []),
    ...(prompts ?? []).map((prompt, place) => `${place + 1}. ${foreignText(prompt, PROMPT_CHARACTERS)}`),
  ];
  if (price && count > 1) {
    // What a server or the operator has left is not for its members to know.
    const balance = payer.kind === 'member' ? price.balance : undefined;
    lines.push(question.price(price.each * count, balance));
  }
  return { content: lines.join('\n'), rows: confirmRows(draftId, texts) };
}

/** Under a question about what is kept as a draft: goes on with it, changes it, or leaves it. */
export const confirmRows = (draftId: string, { cancel, confirm, editForm }: Texts, { mayMake = true } = {}) =>
  rowsOf(
    mayMake ? button.primary(confirm.make, customId('imagine', 'make', draftId)) : undefined,
    button.secondary(editForm.edit, customId('imagine', 'draft', draftId)),
    button.secondary(cancel.button, customId('imagine', 'drop', draftId)),
  );

/** What has become of the job of a draft, in place of the question about the draft. */
export async function describeBegun({ texts, context }: Invocation, jobId: string): Promise<Message> {
  const { tracker } = context.pictures;
  const { confirm } = texts;
  const job = await tracker.find(jobId);
  const asked = { content: confirm.begun.asked(job && linkToJob(job)) };
  if (!job) return asked;
  const again = rowsOf(context.nextSteps.again?.(jobId, texts.picture.tryAgain));
  switch (job.state) {
    case 'asked':
      // Its row may say so while it runs.
      return tracker.progressOf(jobId) ? asked : { content: confirm.begun.lost, rows: again };
    case 'developing':
    case 'delivering':
      return asked;
    case 'failed':
      return {
        content: [confirm.begun.failed, ...explainFailures(job, { forAll: false }, texts)].join(' '),
        rows: again,
      };
    case 'cancelled':
      return { content: confirm.begun.cancelled, rows: again };
    default:
      return { content: confirm.begun[job.state](linkToJob(job)) };
  }
}
