import { ApplicationCommandOptionType, PermissionFlagsBits } from 'discord.js';
import { linkKey } from '../src/bot/buttons.ts';
import { defineCommand, EVERYWHERE, type Invocation } from '../src/bot/command.ts';
import { Refusal } from '../src/bot/refusal.ts';
import { HONOURED_BY, LIMITS, WORKFLOWS } from '../src/contract/limits.ts';
import type { Submission } from '../src/contract/submission.ts';
import { UserError } from '../src/errors.ts';
import { suggestSizes } from './imagine/size.ts';
import { readSubmission } from './imagine/submission.ts';

/** Of the 6000 characters that an option may have, as many as fit the embed that shows them. */
const PROMPT_LENGTH = 4_000;
const MOST_PICTURES = 4;

/** Models that image services are usually set up with; any other can be typed. */
const MODELS = ['v1-5-pruned-emaonly-fp16.safetensors', 'animagine-xl-4.0.safetensors'];

export const imagine = defineCommand({
  data: {
    name: 'imagine',
    description: 'Draw a picture from words',
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'prompt',
        description: 'What to draw',
        required: true,
        max_length: PROMPT_LENGTH,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'negative_prompt',
        description: 'What to leave out',
        max_length: PROMPT_LENGTH,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'size',
        description: `A preset, or width x height in pixels (default ${LIMITS.width.default}x${LIMITS.height.default})`,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'workflow',
        description: 'The way it is drawn',
        choices: WORKFLOWS.map((workflow) => ({ name: workflow, value: workflow })),
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'steps',
        description: 'How often it is refined',
        min_value: LIMITS.steps.min,
        max_value: LIMITS.steps.max,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'seed',
        description: 'The same seed gives the same picture; -1 is random',
        min_value: LIMITS.seed.min,
        max_value: LIMITS.seed.max,
      },
      {
        type: ApplicationCommandOptionType.Number,
        name: 'cfg',
        description: `How closely it keeps to the words (${HONOURED_BY.cfg.join(' and ')})`,
        min_value: LIMITS.cfg.min,
        max_value: LIMITS.cfg.max,
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'model',
        description: `The model to draw with (${HONOURED_BY.model.join(' and ')})`,
        autocomplete: true,
      },
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'count',
        description: 'How many pictures',
        min_value: 1,
        max_value: MOST_PICTURES,
      },
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'private',
        description: 'Show it only to me',
      },
    ],
  },

  async run(invocation) {
    const { count = 1, private: hidden = false, ...filled } = invocation.options;
    const { refusal } = invocation.texts;
    if (!Number.isInteger(count) || count < 1 || count > MOST_PICTURES) {
      throw new UserError(refusal.range('count', 1, MOST_PICTURES));
    }
    await begin(invocation, readSubmission(filled, invocation.texts), { count, private: hidden });
  },

  suggest(option, typed) {
    if (option === 'size') return suggestSizes(typed);
    const models = MODELS.filter((model) => model.includes(typed.trim()));
    const named = typed.trim() === '' || models.includes(typed) ? models : [typed.slice(0, 100), ...models];
    return named.map((model) => ({ name: model, value: model }));
  },

  buttons: {
    async again(press) {
      const [jobId = ''] = press.options;
      const job = await press.context.tracker.find(jobId);
      if (!job) throw new UserError(press.texts.refusal.forgotten);
      await begin(press, job.submission, { count: job.tasks.length, private: job.private });
    },

    async delete({ options: [memberId], asker, reply, texts }) {
      if (asker.memberId !== memberId && !asker.may(PermissionFlagsBits.ManageMessages)) {
        throw new UserError(texts.refusal.notYours);
      }
      await reply.deleteMessage();
    },
  },
});

/** Everything that can be refused is refused before the deferral, which fixes who may read the answer. */
async function begin(
  { asker, reply, texts, context: { credentials, tracker } }: Invocation,
  submission: Submission,
  { count, private: hidden }: { count: number; private: boolean },
): Promise<void> {
  const credential = await credentials.resolve(asker);
  if (!credential) throw new Refusal(texts.refusal.noKey, linkKey(texts));
  const missing = hidden ? [] : asker.botLacks();
  if (missing.length > 0) throw new UserError(texts.refusal.missingPermissions(missing));
  if (!tracker.admits()) throw new UserError(texts.refusal.serviceDown);
  const { id, memberId, locale, guildId, channelId, applicationId, attachmentLimit, askedAt, token } = asker;
  const request = {
    id,
    member: { id: memberId, locale },
    guildId,
    channelId,
    applicationId,
    attachmentLimit,
    askedAt,
    submission,
    count,
    private: hidden,
    payer: credential.payer,
    secrets: { apiKey: credential.apiKey, interactionToken: token },
  };
  await tracker.begin(request, () => reply.defer({ private: hidden }));
}
