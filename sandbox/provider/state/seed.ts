import { addMinutes, lagosTimestamp } from '../../lib/lagos-time.ts';
import { seedSims } from '../esims/sims.ts';
import { newContact, numberColumn } from '../phonebooks/phonebooks.ts';
import {
  type AccountState,
  type State,
  type StoredPhonebook,
  type StoredSenderId,
  sendChannels,
} from './state.ts';

/** The provider's state on its first start. */
export function seedState(now: Date, others: readonly AccountState[] = []): State {
  return {
    accounts: [marketAccount(now), agencyAccount(now), harbourAccount(now), ...structuredClone(others)],
    record: [],
    inbox: [],
    pins: [],
    esimTokens: [],
    emptiedPhonebooks: [],
  };
}

export const marketKey = 'sandbox-key-palm-market-5b1e09c74a26';
export const agencyKey = 'sandbox-key-tide-agency-c83f60d2917e';
export const harbourKey = 'sandbox-key-harbour-bank-27d4a8f190c3';

/** The account to connect first: everything except the one-time codes of the chat application. */
export function marketAccount(now: Date): AccountState {
  return {
    key: marketKey,
    name: 'Palm Market',
    applicationId: 41207,
    balanceInKobo: 2_500_000,
    channels: ['generic', 'dnd', 'chatapp', 'voice'],
    insight: true,
    emailConfigurations: ['palm-market-receipts-7c41'],
    senderIds: [
      {
        ...seedSenderId('PalmSale', 'pending', now, 2),
        company: 'Palm Market Ltd',
        usecase: 'This weekend: a fifth off everything at your nearest Palm Market.',
      },
      seedSenderId('PalmMarket', 'active', now, 40),
      seedSenderId('PalmBasket', 'active', now, 71),
      seedSenderId('PalmCare', 'active', now, 133),
      seedSenderId('FreeCash', 'DECLINED', now, 150),
      seedSenderId('OldPalm', 'blocked', now, 388),
      seedSenderId('55019', 'active', now, 402),
    ],
    phonebooks: [
      seedPhonebook({
        id: '64c07f1e9d2b5a8813e4f0a1',
        name: 'Loyal customers',
        firstNumber: 8031110100,
        size: 18,
        now,
      }),
      seedPhonebook({
        id: '64c07f1e9d2b5a8813e4f0a2',
        name: 'Shop managers',
        firstNumber: 8052220200,
        size: 3,
        now,
      }),
    ],
    sims: seedSims(4101, now),
  };
}

const agencySenderIds =
  'TideAgency BlueBakery OakClinic FastGarage HotelAmber CityLibrary OldMuseum TinyNursery BrightEyes GoodPharma RiverFerry HillSchool GreenTaxi NightCinema StarTailor WarmLaundry SeaFood PaperShop'.split(
    ' ',
  );

/** An account for another workspace: without the dnd route, number status and e-mail; with two pages of sender IDs. */
export function agencyAccount(now: Date): AccountState {
  return {
    key: agencyKey,
    name: 'Tide Agency',
    applicationId: 58833,
    balanceInKobo: 90_000,
    channels: ['generic', 'chatapp', 'voice', 'chatapp_otp'],
    insight: false,
    emailConfigurations: [],
    senderIds: agencySenderIds.map((name, index) => seedSenderId(name, 'active', now, 5 + index * 9)),
    phonebooks: [],
    sims: [],
  };
}

/** A third account, with every route and operation activated. */
export function harbourAccount(now: Date): AccountState {
  return {
    key: harbourKey,
    name: 'Harbour Bank',
    applicationId: 73951,
    balanceInKobo: 10_000_000,
    channels: [...sendChannels],
    insight: true,
    emailConfigurations: ['harbour-codes-e1b8', 'harbour-alerts-940d'],
    senderIds: [
      seedSenderId('HarbourBank', 'active', now, 64),
      seedSenderId('70707', 'active', now, 90),
      {
        ...seedSenderId('Harbour Pay', 'pending', now, 3),
        company: 'Harbour Bank',
        usecase: 'You paid NGN 2,500 to Palm Market.',
      },
      // Older than the rule for requests.
      seedSenderId('H-Alert', 'active', now, 1_190),
    ],
    phonebooks: [
      seedPhonebook({
        id: '65e2b30c7fa41d96250b88c4',
        name: 'Card holders',
        firstNumber: 8093330300,
        size: 5,
        now,
      }),
    ],
    sims: seedSims(4201, now),
  };
}

export function seedSenderId(
  name: string,
  status: StoredSenderId['status'],
  now: Date,
  daysAgo: number,
): StoredSenderId {
  const createdAt = lagosTimestamp(addMinutes(now, -daysAgo * 24 * 60));
  return { sender_id: name, status, country: 'Nigeria', createdAt };
}

/** Creates a phonebook of `size` contacts with consecutive numbers and ids derived from the phonebook's. */
export function seedPhonebook({
  id,
  name,
  firstNumber,
  size,
  now,
}: {
  id: string;
  name: string;
  /** Without the country code. */
  firstNumber: number;
  size: number;
  now: Date;
}): StoredPhonebook {
  const contacts = Array.from({ length: size }, (_, index) => {
    const national = String(firstNumber + index);
    const contact = newContact(`234${national}`, { [numberColumn]: national }, now);
    return { ...contact, id: `${id.slice(0, -2)}${10 + index}` };
  });
  return {
    id,
    name,
    description: '',
    createdAt: lagosTimestamp(now),
    campaigns: 0,
    headers: [numberColumn],
    contacts,
    arriving: [],
  };
}
