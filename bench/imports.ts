import '@fastify/rate-limit';
import '@fastify/static';
import '@fastify/swagger';
import '@keyv/sqlite';
import 'better-sqlite3';
import 'bottleneck';
import 'discord-api-spec/zod';
import 'discord-api-types/v10';
import 'discord.js';
import 'fastify';
import 'fastify-type-provider-zod';
import 'ipaddr.js';
import 'keyv';
import 'kysely';
import 'magic-bytes.js';
import 'mime';
import 'pg';
import 'pino';
import 'piscina';
import 'sharp';
import 'undici';
import 'ws';
import 'zod';

/** The libraries that Darkroom imports at its start, and nothing else: what `start` compares with. */
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
