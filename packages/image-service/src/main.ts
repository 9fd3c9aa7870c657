import { redactCredentials } from '@darkroom/image-api/contract';
import { createLog, runMain, runUntilSignal, standardOutput, tellUnread } from '@darkroom/process';
import { loadServiceConfig, serviceEnvironment } from './config.ts';

/** A picture that is paid for is worth waiting for: most hosted models take less than half a minute. */
const FINISH_MS = 45_000;
/** For that, and what every process does at its end. */
const GRACE_MS = FINISH_MS + 15_000;

/** `darkroom service`: runs one command of the operator; without a command, runs the service until a signal. */
await runMain(async () => {
  tellUnread(process.env, Object.keys(serviceEnvironment.shape));
  const args = process.argv.slice(2);
  if (args.length === 0) return serve(process.env);
  const { runCommand } = await import('./operator/command-line.ts');
  const { printed, exitCode } = await runCommand(args, process.env);
  process.stdout.write(printed);
  process.exitCode = exitCode;
});

async function serve(env: NodeJS.ProcessEnv): Promise<void> {
  const config = loadServiceConfig(env);
  const log = createLog({
    level: config.LOG_LEVEL,
    scrub: redactCredentials,
    destination: await standardOutput(),
  });
  await runUntilSignal(
    async () => {
      const { openService } = await import('./open-service.ts');
      const { service, url } = await openService(config, { log, limits: { finishMs: FINISH_MS } });
      log.info({ url }, 'the image service is listening');
      return () => {
        log.info('stopping: what is under way goes on at the next start');
        return service.close();
      };
    },
    { graceMs: GRACE_MS },
  );
}
