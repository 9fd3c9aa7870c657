import { LIMITS } from '@darkroom/image-api';
import type { GuildSettings } from '../../src/guilds/guild-settings.ts';
import type { PictureBounds } from '../../src/limits/limits.ts';
import { areaOf, formatSize } from '../../src/messages/size.ts';

interface LeftOut {
  size?: string | undefined;
  workflow?: string | undefined;
  steps?: number | undefined;
}

/**
 * What the server has decided counts where the member left it out. Nobody is refused for what they did not say: it is no
 * larger and no finer than `bounds`, the operator's, and the server allow.
 */
export function withDefaults<Options extends LeftOut>(
  options: Options,
  settings: GuildSettings,
  bounds: PictureBounds,
): Options {
  return {
    ...options,
    size: options.size ?? formatSize(defaultSize(settings, bounds)),
    workflow: options.workflow ?? settings.defaultWorkflow,
    steps: options.steps ?? defaultSteps(settings, bounds),
  };
}

function defaultSize(settings: GuildSettings, bounds: PictureBounds) {
  const standard = { width: LIMITS.width.default, height: LIMITS.height.default };
  const allowed = [settings.largestSize, bounds.largestSize].filter((size) => size !== undefined);
  return [settings.defaultSize ?? standard, ...allowed].reduce((smallest, size) =>
    areaOf(size) < areaOf(smallest) ? size : smallest,
  );
}

/** Undefined where the image service's own default is allowed. */
function defaultSteps(settings: GuildSettings, bounds: PictureBounds): number | undefined {
  const { default: standard } = LIMITS.steps;
  const most = Math.min(settings.mostSteps ?? standard, bounds.mostSteps ?? standard);
  return most < standard ? most : undefined;
}
