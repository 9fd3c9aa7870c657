import { spawnSync } from 'node:child_process';
import { WAIT_TIMEOUT_MS } from '@darkroom/testing';
import { DARKROOM } from './start-darkroom.ts';

/** Somebody who owns nothing here; undefined where only root could become them, or they cannot run this program. */
export function anotherUser(): number | undefined {
  const uid = 65_534;
  const { status } = spawnSync(process.execPath, ['--check', DARKROOM], { uid, timeout: WAIT_TIMEOUT_MS });
  return status === 0 ? uid : undefined;
}
