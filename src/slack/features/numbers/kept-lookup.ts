import { z } from 'zod';
import { phoneNumberSchema } from '../../../domain/phone/phone-number.ts';

const entrySchema = z
  .object({
    routeDetail: z.object({ ported: z.number().optional() }).optional(),
    countryDetail: z.object({ iso: z.string().optional() }).optional(),
    operatorDetail: z
      .object({ operatorName: z.string().optional(), lineType: z.string().optional() })
      .optional(),
  })
  .transform((entry) => ({ ...entry, raw: undefined }));

const adviceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['any_route', 'not_nigerian', 'on_dnd', 'dnd_unknown']) }),
  z.object({ kind: z.literal('quiet_hours'), endsAt: z.coerce.date() }),
]);

/** A lookup as it is kept for the buttons of its card: what the card shows, and no more of the answer. */
export const keptLookupSchema = z.object({
  kind: z.literal('looked_up'),
  network: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('known'), entry: entrySchema }),
    z.object({ kind: z.enum(['no_entry', 'not_activated']), said: z.string().optional() }),
    z.object({ kind: z.literal('failed'), problem: z.string() }),
  ]),
  dnd: z.object({
    number: phoneNumberSchema,
    dnd: z.enum(['active', 'inactive', 'unknown']),
    network: z.string().optional(),
    problem: z.string().optional(),
  }),
  advice: adviceSchema,
});
