import { LIMITS, WORKFLOWS_SUPPORTING } from '@darkroom/image-api';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { PictureBounds } from '../../src/limits/limits.ts';
import { areaOf, formatSize, type Size } from '../../src/limits/size.ts';
import type { MemberDefaults } from '../../src/requests/member-settings.ts';
import { readSize } from '../../src/requests/sizes.ts';
import type { SubmissionOptions } from '../../src/requests/submission.ts';

/** What is decided by whom. */
interface Decided {
  /** By the member, for all of their requests. */
  own: MemberDefaults;
  settings: GuildSettings;
  /** By the operator. */
  bounds: PictureBounds;
}

/**
 * What the member left out is as they have decided for all of their requests, else as the server has. Nobody is refused for
 * what they did not say: it is no larger and no finer than the operator and the server allow, and has an effect.
 */
export function withDefaults(options: SubmissionOptions, decided: Decided): SubmissionOptions {
  const { own, settings } = decided;
  const workflow = options.workflow ?? own.workflow ?? settings.defaultWorkflow;
  const has = (field: 'cfg' | 'model') =>
    WORKFLOWS_SUPPORTING[field].some((one) => one === (workflow ?? 'default'));
  return {
    ...options,
    workflow,
    size: options.size ?? formatSize(defaultSize(workflow, decided)),
    steps: options.steps ?? defaultSteps(decided),
    negative_prompt: options.negative_prompt ?? own.negative_prompt,
    cfg: options.cfg ?? (has('cfg') ? own.cfg : undefined),
    model: options.model ?? (has('model') ? own.model : undefined),
  };
}

/** How many pixels a picture may have; undefined where nobody limits it. */
export function mostPixels(bounds: readonly PictureBounds[]): number | undefined {
  const areas = bounds.flatMap(({ largestSize }) => (largestSize ? [areaOf(largestSize)] : []));
  return areas.length > 0 ? Math.min(...areas) : undefined;
}

function defaultSize(workflow: string | undefined, { own, settings, bounds }: Decided): Size {
  const most = mostPixels([bounds, settings]);
  const chosen = own.size === undefined ? undefined : readSize(own.size, { workflow, mostPixels: most });
  const standard = { width: LIMITS.width.default, height: LIMITS.height.default };
  const allowed = [settings.largestSize, bounds.largestSize].filter((size) => size !== undefined);
  return [chosen ?? settings.defaultSize ?? standard, ...allowed].reduce((smallest, size) =>
    areaOf(size) < areaOf(smallest) ? size : smallest,
  );
}

/** Undefined where the image service's own default is allowed, and nobody has another. */
function defaultSteps({ own, settings, bounds }: Decided): number | undefined {
  const { default: standard } = LIMITS.steps;
  const wanted = own.steps ?? standard;
  const most = Math.min(settings.mostSteps ?? wanted, bounds.mostSteps ?? wanted, wanted);
  return most === standard ? undefined : most;
}
