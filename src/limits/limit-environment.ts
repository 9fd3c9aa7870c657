import { LIMITS } from '@darkroom/image-api/limits';
import { setting } from '@darkroom/process';
import { z } from 'zod';
import type { OperatorLimits } from './limits.ts';
import { parseSize } from './size.ts';

const EXPECTED = 'expected a whole number from 1 to 1000000, or none';

/** A limit; `none`: there is none. */
const limit = z
  .union([z.literal('none').transform(() => null), setting.wholeNumber(1, 1_000_000)], EXPECTED)
  .optional();

function readSize(text: string, context: z.core.$RefinementCtx) {
  const size = parseSize(text);
  if (size) return size;
  const message = `expected a size such as 1024x1024, each side from ${LIMITS.width.min} to ${LIMITS.width.max}`;
  context.issues.push({ code: 'custom', message, input: undefined });
  return z.NEVER;
}

/** The operator's limits in the environment; what each means stands in `.env.example`. */
export const limitEnvironment = z.object({
  MEMBER_OPEN_REQUESTS: limit.default(10),
  MEMBER_PICTURES_PER_HOUR: limit.default(100),
  MEMBER_PICTURES_PER_DAY: limit.default(400),
  GUILD_PICTURES_PER_HOUR: limit.default(1_000),
  GUILD_PICTURES_PER_DAY: limit.default(5_000),
  IMAGE_API_KEY_PICTURES_PER_DAY: limit.default(500),
  IMAGE_API_KEY_PICTURES_PER_MONTH: limit.default(5_000),
  IMAGE_API_KEY_CREDITS_PER_DAY: limit,
  IMAGE_API_KEY_CREDITS_PER_MONTH: limit,
  LARGEST_SIZE: z.string().transform(readSize).optional(),
  MOST_STEPS: setting.wholeNumber(LIMITS.steps.min, LIMITS.steps.max).optional(),
});

export const operatorLimits = (config: z.output<typeof limitEnvironment>): OperatorLimits => ({
  openRequests: config.MEMBER_OPEN_REQUESTS ?? undefined,
  memberHour: config.MEMBER_PICTURES_PER_HOUR ?? undefined,
  memberDay: config.MEMBER_PICTURES_PER_DAY ?? undefined,
  guildHour: config.GUILD_PICTURES_PER_HOUR ?? undefined,
  guildDay: config.GUILD_PICTURES_PER_DAY ?? undefined,
  keyDay: config.IMAGE_API_KEY_PICTURES_PER_DAY ?? undefined,
  keyMonth: config.IMAGE_API_KEY_PICTURES_PER_MONTH ?? undefined,
  keyCreditsDay: config.IMAGE_API_KEY_CREDITS_PER_DAY ?? undefined,
  keyCreditsMonth: config.IMAGE_API_KEY_CREDITS_PER_MONTH ?? undefined,
  largestSize: config.LARGEST_SIZE,
  mostSteps: config.MOST_STEPS,
});
