/** The price of one page to one recipient, in kobo. */
export const pricesInKobo = {
  generic: 340,
  dnd: 425,
  chatapp: 680,
  voice: 790,
  chatapp_otp: 910,
  email: 125,
} as const;
