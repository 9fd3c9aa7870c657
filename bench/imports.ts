import '@fastify/static';
import '@keyv/sqlite';
import 'better-sqlite3';
import 'bottleneck';
import 'discord-api-spec/zod';
import 'discord.js';
import 'fastify';
import 'fastify-type-provider-zod';
import 'keyv';
import 'kysely';
import 'pino';
import 'piscina';
import 'sharp';
import 'undici';
import 'ws';
import 'zod';

/** The libraries of the whole of Darkroom, imported, and nothing else: what `start` compares with. */
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
