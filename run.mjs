import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// `node run.mjs PROGRAM …`, as the scripts of package.json have it: builds what has changed, and goes on as `darkroom`,
// in this process, so that a signal to npm reaches it. `exec` there is to the same end; on Windows exec.cmd is it.
if (process.env.NODE_ENV !== 'production') {
  if (!existsSync('dist')) process.stderr.write('Getting ready …\n');
  // On Windows npm is a batch file, which wants a shell. Whatever a build says is no output of the program.
  const { status } = spawnSync('npm run -s build:app', { shell: true, stdio: ['inherit', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./dist/bundle/darkroom.js');
