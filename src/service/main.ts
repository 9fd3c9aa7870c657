import { runProgram } from '../program.ts';
import { runCommand } from './operator/command-line.ts';
import { serve } from './serve.ts';

/** `npm run service`: starts the service, or runs one command of the operator. */
await runProgram(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0) return serve(process.env);
  const { printed, exitCode } = await runCommand(args, process.env);
  process.stdout.write(printed);
  process.exitCode = exitCode;
});
