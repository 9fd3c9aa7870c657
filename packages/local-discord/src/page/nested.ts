import type { APIMessageComponent } from 'discord-api-types/v10';

/** These components and those within them, in the order in which they are read. */
export function* nested(components: readonly APIMessageComponent[] = []): Generator<APIMessageComponent> {
  for (const component of components) {
    yield component;
    if ('components' in component) yield* nested(component.components);
    if ('accessory' in component) yield component.accessory;
  }
}
