const module = (source: string) => `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;

/** `NODE_OPTIONS` of a process in which a package is not installed. */
export function withoutPackage(name: string): string {
  const hook = module(`export const resolve = (specifier, context, next) =>
    next(specifier, specifier === '${name}' ? { ...context, parentURL: 'file:///' } : context)`);
  return `--import ${module(`import { register } from 'node:module'; register('${hook}')`)}`;
}
