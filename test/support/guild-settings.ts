import { silentLog } from '@darkroom/testing';
import { GUILD } from '../../packages/local-discord/test/support/local-discord.ts';
import { createGuildSettings, type GuildSettings } from '../../src/guilds/guild-settings.ts';
import { openStore } from '../../src/storage/store.ts';
import type { StoreUrl } from '../../src/storage/store-url.ts';
import { newFile } from './each-store.ts';

/** A store for a bot, in which the server of the small world has decided this. */
export async function storeWithSettings(settings: Partial<GuildSettings>): Promise<StoreUrl> {
  const url = await newFile();
  await changeSettings(url, settings);
  return url;
}

/** The server of the small world decides this, while no bot runs on its store. */
export async function changeSettings(url: StoreUrl, settings: Partial<GuildSettings>): Promise<void> {
  const store = await openStore({ url, log: silentLog() });
  await createGuildSettings({ store, log: silentLog() }).change(GUILD, (before) => ({
    ...before,
    ...settings,
  }));
  await store.close();
}
