import { ENGINE_SETTINGS } from '@darkroom/image-service/config';
import { ownCommand, standardOutput } from '@darkroom/process';
import { systemClock } from '@darkroom/time';
import type { Config } from '../config.ts';
import { createLog } from '../log.ts';
import { createPlayground } from './playground.ts';

/** Starts the playground and says, once and loudly, what it is and where. Resolves with how to stop it. */
export async function startPlayground(config: Config): Promise<() => Promise<void>> {
  const log = createLog({ level: config.LOG_LEVEL ?? 'warn', destination: await standardOutput() });
  const { url, serviceUrl, stop } = await createPlayground({ config, clock: systemClock, log });
  const isSketched = [...ENGINE_SETTINGS, 'IMAGE_API_URL' as const].every(
    (setting) => config[setting] === undefined,
  );
  process.stdout.write(announcement(url, serviceUrl, isSketched));
  return () => {
    process.stdout.write('\nStopping the playground. What runs goes on at the next start.\n');
    return stop();
  };
}

function announcement(url: string, serviceUrl: string, isSketched: boolean): string {
  const lines = [
    'This is not Discord. It is the playground: the real bot,',
    'with a Discord of its own on this machine.',
    '',
    `Open ${url}`,
    '',
    `Image service: ${serviceUrl}`,
    ...(isSketched
      ? [
          'Pictures are sketched by rules, without AI. For a real model,',
          `set ${ENGINE_SETTINGS.join(', ')} or IMAGE_API_URL.`,
        ]
      : []),
    `Stop with Ctrl-C. For the real Discord: ${ownCommand('setup')}.`,
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '═'.repeat(width + 4);
  return [`╔${edge}╗`, ...lines.map((line) => `║  ${line.padEnd(width)}  ║`), `╚${edge}╝`, ''].join('\n');
}
