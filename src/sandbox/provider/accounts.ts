import type { Account, SenderId } from './state.ts';
import { watTimestamp } from './wat.ts';

/** What one page to one recipient costs, in kobo. */
export const pricesInKobo = { generic: 340, dnd: 425, chatapp: 680, voice: 790, chatapp_otp: 910 } as const;

export const marketKey = 'sandbox-key-palm-market-5b1e09c74a26';
export const agencyKey = 'sandbox-key-tide-agency-c83f60d2917e';

/** The account that a newcomer connects: every route but the chat application's one-time codes. */
export function marketAccount(now: Date): Account {
  return {
    key: marketKey,
    name: 'Palm Market',
    applicationId: 41207,
    balanceInKobo: 2_500_000,
    channels: ['generic', 'dnd', 'chatapp', 'voice'],
    senderIds: [
      {
        ...senderId('PalmSale', 'pending', now, 2),
        company: 'Palm Market Ltd',
        usecase: 'This weekend: a fifth off everything at your nearest Palm Market.',
      },
      senderId('PalmMarket', 'active', now, 40),
      senderId('PalmBasket', 'active', now, 71),
      senderId('PalmCare', 'active', now, 133),
      senderId('FreeCash', 'DECLINED', now, 150),
      senderId('OldPalm', 'blocked', now, 388),
      senderId('55019', 'active', now, 402),
    ],
  };
}

const agencySenderIds =
  'TideAgency BlueBakery OakClinic FastGarage HotelAmber CityLibrary OldMuseum TinyNursery BrightEyes GoodPharma RiverFerry HillSchool GreenTaxi NightCinema StarTailor WarmLaundry SeaFood PaperShop'.split(
    ' ',
  );

/** A second account, for another workspace: without the dnd route, and with sender IDs for two pages. */
export function agencyAccount(now: Date): Account {
  return {
    key: agencyKey,
    name: 'Tide Agency',
    applicationId: 58833,
    balanceInKobo: 90_000,
    channels: ['generic', 'chatapp', 'voice'],
    senderIds: agencySenderIds.map((name, index) => senderId(name, 'active', now, 5 + index * 9)),
  };
}

function senderId(name: string, status: SenderId['status'], now: Date, daysAgo: number): SenderId {
  const createdAt = watTimestamp(new Date(now.getTime() - daysAgo * 24 * 60 * 60 * 1000));
  return { sender_id: name, status, country: 'Nigeria', createdAt };
}
