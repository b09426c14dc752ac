import type { SlackUser } from './slack-user.ts';

interface NewPrice {
  /** The title of a route; all routes unless given. */
  route?: string;
  /** A country as the field offers it, `Ghana (+233)`; all countries unless given. */
  country?: string;
  amount: string;
}

export async function opensPrices(admin: SlackUser): Promise<void> {
  await admin.seesHome('Connected');
  await admin.presses('Open costs');
  await admin.seesModal('Costs');
  await admin.presses('Open prices');
  await admin.seesModal('Prices');
}

/** Fills in the form of a price, which the list of prices opens, and submits it. */
export async function submitsPrice(admin: SlackUser, { route, country, amount }: NewPrice): Promise<void> {
  await admin.presses('Add price');
  await admin.seesModal('Price');
  if (route !== undefined) {
    await admin.fills('Route', route);
  }
  if (country !== undefined) {
    await admin.fills('Country', country);
  }
  await admin.fills('Price of a page', amount);
  await admin.submits();
}

/** Enters a price, and closes what was opened for it. */
export async function entersPrice(admin: SlackUser, price: NewPrice): Promise<void> {
  await opensPrices(admin);
  await submitsPrice(admin, price);
  await admin.seesModal('Prices', 'Saved.');
  await admin.closes();
  await admin.closes();
}
