import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError, ownCommand, shellWord } from '@darkroom/process';
import { findUnit, UNITS } from '../find-unit.ts';
import { ownerOf, UNIT_OF_DOCS, unitOf } from '../systemd-unit.ts';
import type { Words } from '../words/words.ts';
import type { Checkups } from './checkup.ts';

/**
 * Whether the unit that systemd has for the bot in `home` is that which this version writes: an upgrade of the code
 * leaves it as it is. Nothing where systemd has none; one of a bot in another folder is that one's.
 */
export function unitCheckups(
  { doctor }: Words,
  { units = UNITS, home = process.cwd() }: { units?: string; home?: string } = {},
): Checkups {
  const { name, installed } = findUnit(home, units);
  if (installed === undefined) return {};

  async function examine(unit: string): Promise<string> {
    const owner = ownerOf(unit, home);
    const different = differences(unit, owner ? await unitOf(owner) : await readFile(UNIT_OF_DOCS, 'utf8'));
    if (different.length === 0) return doctor.sameUnit;
    const file = join(units, `${name}.service`);
    const renewal = owner
      ? ownCommand('setup', '--run systemd')
      : `sudo install -m 0644 ${shellWord(UNIT_OF_DOCS)} ${file}`;
    throw new OperatorError(doctor.oldUnit(file, name, { different, renewal }));
  }
  return { unit: () => examine(installed) };
}

/** The names of lines that stand in only one of two units. What is a comment does nothing. */
function differences(one: string, other: string): string[] {
  const linesOf = (unit: string) => unit.split('\n').filter((line) => /^[^#\s]/.test(line));
  const [ones, others] = [linesOf(one), linesOf(other)];
  const different = [
    ...ones.filter((line) => !others.includes(line)),
    ...others.filter((line) => !ones.includes(line)),
  ];
  return [...new Set(different.map((line) => line.replace(/=.*$/, '')))];
}
