import type { Selectable } from 'kysely';
import type { Schema } from '../schema.ts';

export type CampaignRow = Selectable<Schema['campaign']>;

export type PaceRow = Selectable<Schema['pace']>;
