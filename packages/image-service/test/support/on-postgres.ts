import { inject } from 'vitest';
import { useDatabase } from './storage.ts';

// Before each file of a project whose tests run on PostgreSQL.
useDatabase(inject('postgresDatabase'));
