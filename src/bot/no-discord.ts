export const noDiscordAt = (api: string): string =>
  `there is no Discord at ${api}. Leave DISCORD_API_URL out, or set it to https://discord.com/api.`;
