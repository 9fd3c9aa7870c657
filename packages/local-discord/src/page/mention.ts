import { channelName, displayUser } from './display.ts';
import type { Node } from './parsed-markdown.ts';
import { channelById, guildOf, userById } from './selectors.ts';
import type { View } from './view.ts';

/** What somebody or something is mentioned as: `@Member`, `#general`. */
interface Mention {
  type: 'user' | 'channel' | 'role';
  sign: '@' | '#';
  name: string;
}

export function mentionOf(view: View, node: Node): Mention | undefined {
  const { unknown } = view.words;
  switch (node.type) {
    case 'user': {
      const user = userById(view, node.id);
      return { type: 'user', sign: '@', name: user ? displayUser(view, user).name : unknown.user };
    }
    case 'channel': {
      const channel = channelById(view, node.id);
      return { type: 'channel', sign: '#', name: channel ? channelName(view, channel) : unknown.channel };
    }
    case 'role': {
      const role = guildOf(view)?.roles.find(({ id }) => id === node.id);
      return { type: 'role', sign: '@', name: role?.name ?? unknown.role };
    }
    case 'everyone':
    case 'here':
      return { type: 'user', sign: '@', name: node.type };
    default:
      return undefined;
  }
}
