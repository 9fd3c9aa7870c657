import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { environmentOf } from './systemd-unit.ts';

/** Where an administrator puts units for systemd. */
export const UNITS = '/etc/systemd/system';

/**
 * The unit of the bot in `home` among those in the folder `units`: its name, and its text where systemd has it. One
 * whose folder is gone is taken for it as well: the bot has moved. One that systemd has not gets the name `darkroom`,
 * or where another bot's has that, one of its own after its folder.
 */
export function findUnit(home: string, units: string): { name: string; installed: string | undefined } {
  const taken = namesIn(units);
  const found = taken.map((name) => ({ name, installed: textOf(join(units, `${name}.service`)) }));
  const homeOf = ({ installed }: { installed: string }) => environmentOf(installed).get('DARKROOM_HOME');
  const isHome = (folder: string | undefined) => folder !== undefined && placeOf(folder) === placeOf(home);
  const isGone = (folder: string | undefined) => folder !== undefined && placeOf(folder) === undefined;
  const known = found.find((unit) => isHome(homeOf(unit))) ?? found.find((unit) => isGone(homeOf(unit)));
  if (known) return known;
  const own = `darkroom-${basename(home).replace(/[^\w.]+/g, '-')}`;
  let name = taken.includes('darkroom') ? own : 'darkroom';
  for (let nth = 2; taken.includes(name); nth += 1) name = `${own}-${nth}`;
  return { name, installed: undefined };
}

/** Where a folder is, by whatever path; undefined where there is none. */
function placeOf(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch (error) {
    // Others may keep theirs from being looked at.
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? undefined : resolve(folder);
  }
}

/** Of all that may be a bot's. */
function namesIn(units: string): string[] {
  try {
    return readdirSync(units)
      .flatMap((file) => /^(darkroom.*)\.service$/.exec(file)?.[1] ?? [])
      .sort();
  } catch {
    return [];
  }
}

/** Empty where it cannot be read: it is somebody else's, or leads nowhere. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
