import { LIMITS } from '@darkroom/image-api';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { PictureBounds } from '../../src/limits/limits.ts';
import { areaOf, formatSize, mostPixels, type Size } from '../../src/limits/size.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { hasEffect, type Offer, USUAL, usualWorkflow } from '../../src/requests/offers.ts';
import type { SubmissionOptions } from '../../src/requests/parse-submission.ts';
import { readSize } from '../../src/requests/sizes.ts';

interface Decided {
  /** By the member, for all of their requests. */
  own: MemberDefaults;
  settings: GuildSettings;
  /** By the operator. */
  bounds: PictureBounds;
  offers: readonly Offer[];
}

/**
 * What the member left out is as they have decided for all of their requests, else as the server has. Nobody is
 * refused for what they did not say: it is no larger and no finer than the operator and the server allow, and has an
 * effect.
 */
export function withDefaults(options: SubmissionOptions, decided: Decided): SubmissionOptions {
  const { own, settings, offers } = decided;
  const isOffered = (workflow: string | undefined) =>
    offers.some(({ name, fromWords }) => name === workflow && fromWords);
  const workflow =
    options.workflow ?? [own.workflow, settings.defaultWorkflow].find(isOffered) ?? usualWorkflow(offers);
  const offer = offers.filter(({ name }) => name === workflow);
  const { usual = USUAL, models = [] } = offer[0] ?? {};
  const has = (option: 'negative_prompt' | 'steps' | 'cfg' | 'model') => hasEffect(option, offer);
  return {
    ...options,
    workflow,
    size: options.size ?? formatSize(defaultSize(workflow, usual, decided)),
    steps: options.steps ?? (has('steps') ? defaultSteps(usual.steps, decided) : undefined),
    negative_prompt: options.negative_prompt ?? (has('negative_prompt') ? own.negative_prompt : undefined),
    cfg: options.cfg ?? (has('cfg') ? own.cfg : undefined),
    model: options.model ?? (has('model') && mayName(own.model, models) ? own.model : undefined),
  };
}

/** Whether `model` may name one of these: a file by its beginning, too. Where none are listed, nobody knows. */
const mayName = (model = '', listed: readonly string[]): boolean =>
  listed.length === 0 ||
  listed.some((name) => name === model || name.replace(/^.*[/\\]/, '').startsWith(model));

function defaultSize(workflow: string, usual: Size, { own, settings, bounds }: Decided): Size {
  const most = mostPixels([bounds, settings]);
  const chosen = own.size === undefined ? undefined : readSize(own.size, { workflow, mostPixels: most });
  const allowed = [settings.largestSize, bounds.largestSize].filter((size) => size !== undefined);
  return [chosen ?? settings.defaultSize ?? usual, ...allowed].reduce((smallest, size) =>
    areaOf(size) < areaOf(smallest) ? size : smallest,
  );
}

/** Undefined where the interface's default is the workflow's as well, is allowed, and nobody has another. */
function defaultSteps(usual: number, { own, settings, bounds }: Decided): number | undefined {
  const steps = own.steps ?? usual;
  const most = Math.min(settings.mostSteps ?? steps, bounds.mostSteps ?? steps, steps);
  return most === usual && most === LIMITS.steps.default ? undefined : most;
}
