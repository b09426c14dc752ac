import { z } from 'zod';

/** Anything JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export const jsonSchema: z.ZodType<Json> = z.json();
