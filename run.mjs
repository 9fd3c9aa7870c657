import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// `node run.mjs PROGRAM …`, as the scripts of package.json have it: builds what has changed, and goes on as `darkroom`,
// in this process, so that a signal to npm reaches it. `exec` there is to the same end; on Windows exec.cmd is it.
if (process.env.NODE_ENV !== 'production') {
  if (isOutdated())
    process.stderr.write(
      'node_modules does not hold the packages of this version. Stop this, and run npm ci.\n',
    );
  if (!existsSync('dist')) process.stderr.write('Getting ready …\n');
  // On Windows npm is a batch file, which wants a shell. Whatever a build says is no output of the program.
  const { status } = spawnSync('npm run -s build:app', { shell: true, stdio: ['inherit', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import('./dist/bundle/darkroom.js');

/** Whether npm has installed others than this version wants, as after `git pull` alone. */
function isOutdated() {
  try {
    const [wanted, there] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
      (file) => JSON.parse(readFileSync(file, 'utf8')).packages,
    );
    return Object.entries(wanted).some(
      ([path, { version, optional }]) =>
        path.includes('node_modules/') && !optional && (!there[path] || there[path].version !== version),
    );
  } catch {
    // Another program than npm has installed them, and keeps no such list.
    return false;
  }
}
