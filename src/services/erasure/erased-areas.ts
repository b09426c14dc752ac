import type { ErasedAreas } from '../../store/erasure/erase-from-values.ts';

/** What an erasure does with the values of each area. An area that is in neither list fails a test. */
export const erasedAreas: ErasedAreas = {
  drafts: 'delete',
  codes: 'delete',
  'provider-codes': 'delete',
  'contact-uploads': 'delete',
  forms: 'delete',
  preferences: 'redact',
  phonebooks: 'redact',
};

/** The areas whose values name no person's number, and are not searched. */
export const untouchedAreas: Readonly<Record<string, string>> = {
  settings: 'the provider key, the defaults, what needs approval, and prices',
  'esim-token': 'a token',
  'esim-creators': 'who created which ICCID',
  'esim-orders': 'ICCIDs',
  cancelled: 'ids of forms',
  balance: 'an amount',
  claims: 'ids of what was done once',
  erasures: 'what is to be erased, until it is',
};
