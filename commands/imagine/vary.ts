import { ButtonStyle } from 'discord.js';
import { button, customId } from '../../src/messages/buttons.ts';
import type { Texts } from '../../src/messages/locale/en.ts';
import { offersFor } from '../../src/requests/offers.ts';
import type { ImagineOptions } from '../../src/requests/options.ts';
import type { Invocation } from './invocation.ts';
import { optionsOf, request } from './request.ts';
import { parentOf, shownJob } from './shown-job.ts';
import { checkSeen, pictureOf } from './starting-picture.ts';

/** How many pictures one press makes. */
const VARIATIONS = 2;

/** How much of the picture changes, where the service begins with it. */
const STRENGTHS = { subtly: 0.35, strongly: 0.7 } as const;
type HowMuch = keyof typeof STRENGTHS;

/** Without `howMuch`: as subtly as the service can. */
export const varyButton = (
  jobId: string,
  task: number,
  howMuch: HowMuch | undefined,
  { actions, source }: Texts,
) =>
  button(
    ButtonStyle.Secondary,
    howMuch === undefined
      ? actions.vary
      : { subtly: source.varySubtly, strongly: source.varyStrongly }[howMuch],
    customId('imagine', 'vary', jobId, `${task}`, ...(howMuch === undefined ? [] : [howMuch])),
  );

/**
 * Makes others of the same words at once, without a question: from the picture itself where the service changes
 * pictures, else around the same composition where it can; pressed twice in a moment, once.
 */
export async function vary(invocation: Invocation<readonly string[]>): Promise<void> {
  const { options, caller, reply, context } = invocation;
  const [jobId = '', nth = '', howMuch] = options;
  const task = Number(nth);
  const job = await shownJob(jobId, invocation);
  const { workflows } = await context.guilds.guildSettings.of(caller.guildId);
  const strength = STRENGTHS[howMuch === 'strongly' ? 'strongly' : 'subtly'];
  const { seed, variation_of = seed, ...asked } = optionsOf(job, { task });
  const drawnBy = job.graph ? undefined : job.submission.workflow;
  const changes = offersFor('edit', { drawnIn: drawnBy }, context.offers.of(workflows), { strength: true });
  const [offer] = job.graph || asked.prompt.trim() === '' ? [] : changes;
  if (!offer) await checkSeen(job, invocation);
  const varied: ImagineOptions = offer
    ? {
        ...withoutSize(asked),
        workflow: offer.name,
        strength,
        source: { operation: 'edit', input: pictureOf(job, task, invocation) },
      }
    : { ...asked, ...(variation_of !== undefined && { variation_of }) };
  const parent = { ...parentOf(job, invocation, offer && task), varied: true as const };
  const make = () =>
    request(invocation, { ...varied, count: VARIATIONS }, { parent, asks: false, repeats: true });
  const key = [caller.member.id, 'vary', jobId, nth, howMuch ?? ''].join(':');
  if (!(await context.pictures.presses.once(key, make))) await reply.acknowledge();
}

/** Of the size of the picture that it begins with. */
const withoutSize = ({ size: _, ...options }: ImagineOptions): ImagineOptions => options;
