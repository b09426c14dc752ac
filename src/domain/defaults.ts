import type { CountryRule, LimitName } from './limits/limit-settings.ts';

/**
 * What a workspace has until its admin chooses otherwise, with the reason, and the bounds of what may be chosen.
 */

/** A limit, and the most that an admin may choose: a mistyped number must not switch it off. */
interface LimitBounds {
  usual: number;
  highest: number;
}

export const limitBounds: Readonly<Record<LimitName, LimitBounds>> = {
  // A notice to the customers of a day at once. Longer lists are campaigns, which are reviewed and not counted here.
  'messages.minute.person': { usual: 200, highest: 10_000 },
  'messages.minute.workspace': { usual: 1_000, highest: 50_000 },
  // A team of twenty that answers its customers sends some 2,000.
  'messages.day.person': { usual: 2_000, highest: 100_000 },
  'messages.day.workspace': { usual: 20_000, highest: 1_000_000 },

  // An agent sends a code to the customer on the line, and a call takes minutes. Fraudsters are paid by the code.
  'codes.minute.person': { usual: 10, highest: 100 },
  'codes.minute.workspace': { usual: 30, highest: 500 },
  'codes.day.person': { usual: 200, highest: 2_000 },
  'codes.day.workspace': { usual: 2_000, highest: 20_000 },
  // A customer whose code is late asks for another one, and gives up after a few.
  'codes.recipient.hour': { usual: 5, highest: 50 },
  'codes.recipient.day': { usual: 10, highest: 100 },
  // An SMS takes some seconds: of two codes on their way, only one is right.
  'codes.again': { usual: 30, highest: 3_600 },

  // One Do-Not-Disturb check of the longest list that can be pasted, and some more.
  'lookups.minute.person': { usual: 2_000, highest: 20_000 },
  'lookups.minute.workspace': { usual: 5_000, highest: 50_000 },
  // Enough for the lists of a day, and too few to find out whom all numbers belong to.
  'lookups.day.person': { usual: 10_000, highest: 100_000 },
  'lookups.day.workspace': { usual: 50_000, highest: 500_000 },

  // An eSIM costs as much as hundreds of messages, and a person confirms each on its own.
  'purchases.minute.person': { usual: 3, highest: 30 },
  'purchases.minute.workspace': { usual: 10, highest: 100 },
  'purchases.day.person': { usual: 20, highest: 200 },
  'purchases.day.workspace': { usual: 100, highest: 1_000 },
};

/** Customers travel, and a message abroad is what somebody wants. A code abroad is mostly fraud. */
export const usualCountries: Readonly<Record<'messages' | 'codes', CountryRule>> = {
  messages: 'all',
  codes: 'own',
};

/** Whether eSIMs can be bought. Roles decide who may: nobody is a buyer until an admin says so. */
export const usualEsimPurchases = true;

/** How long a request for approval waits before it expires: a working day, and the night before or after it. */
export const usualApprovalHours = 24;
/** A month. What is asked for is then no longer what anybody has in mind. */
export const highestApprovalHours = 720;
