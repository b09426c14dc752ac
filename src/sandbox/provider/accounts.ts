import { newContact, numberColumn } from './contacts.ts';
import { type Account, channels, type Phonebook, type SenderId } from './state.ts';
import { watTimestamp } from './wat.ts';

export const marketKey = 'sandbox-key-palm-market-5b1e09c74a26';
export const agencyKey = 'sandbox-key-tide-agency-c83f60d2917e';
export const harbourKey = 'sandbox-key-harbour-bank-27d4a8f190c3';

/** The account that a newcomer connects: everything but the chat application's one-time codes. */
export function marketAccount(now: Date): Account {
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
    phonebooks: [
      phonebook('64c07f1e9d2b5a8813e4f0a1', 'Loyal customers', now, 8031110100, 18),
      phonebook('64c07f1e9d2b5a8813e4f0a2', 'Shop managers', now, 8052220200, 3),
    ],
  };
}

const agencySenderIds =
  'TideAgency BlueBakery OakClinic FastGarage HotelAmber CityLibrary OldMuseum TinyNursery BrightEyes GoodPharma RiverFerry HillSchool GreenTaxi NightCinema StarTailor WarmLaundry SeaFood PaperShop'.split(
    ' ',
  );

/**
 * A second account, for another workspace: without the dnd route, number status and e-mail, and with sender IDs
 * for two pages.
 */
export function agencyAccount(now: Date): Account {
  return {
    key: agencyKey,
    name: 'Tide Agency',
    applicationId: 58833,
    balanceInKobo: 90_000,
    channels: ['generic', 'chatapp', 'voice', 'chatapp_otp'],
    insight: false,
    emailConfigurations: [],
    senderIds: agencySenderIds.map((name, index) => senderId(name, 'active', now, 5 + index * 9)),
    phonebooks: [],
  };
}

/** A third account, on which all there is was activated. */
export function harbourAccount(now: Date): Account {
  return {
    key: harbourKey,
    name: 'Harbour Bank',
    applicationId: 73951,
    balanceInKobo: 10_000_000,
    channels: [...channels],
    insight: true,
    emailConfigurations: ['harbour-codes-e1b8', 'harbour-alerts-940d'],
    senderIds: [senderId('HarbourBank', 'active', now, 64), senderId('70707', 'active', now, 90)],
    phonebooks: [phonebook('65e2b30c7fa41d96250b88c4', 'Card holders', now, 8093330300, 5)],
  };
}

/** With so many contacts, whose numbers count up from the first, and whose ids are made of the phonebook's. */
function phonebook(id: string, name: string, now: Date, firstNumber: number, size: number): Phonebook {
  const contacts = Array.from({ length: size }, (_, index) => {
    const national = String(firstNumber + index);
    const contact = newContact(`234${national}`, { [numberColumn]: national }, now);
    return { ...contact, id: `${id.slice(0, -2)}${10 + index}` };
  });
  return {
    id,
    name,
    description: '',
    createdAt: watTimestamp(now),
    campaigns: 0,
    headers: [numberColumn],
    contacts,
    arriving: [],
  };
}

function senderId(name: string, status: SenderId['status'], now: Date, daysAgo: number): SenderId {
  const createdAt = watTimestamp(new Date(now.getTime() - daysAgo * 24 * 60 * 60 * 1000));
  return { sender_id: name, status, country: 'Nigeria', createdAt };
}
