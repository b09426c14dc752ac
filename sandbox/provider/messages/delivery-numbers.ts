import type { DeliveryStatus } from '../insight/networks.ts';

/** What is odd about the reports of a number: none come, or they come twice, in the opposite order, late or with forged ones. */
export type ReportQuirk = 'none' | 'twice' | 'reversed' | 'late' | 'forged';

interface DeliveryNumber {
  number: string;
  /** For the page. */
  what: string;
  /** How each message ends. By default as to any other number. */
  delivery?: DeliveryStatus;
  quirk?: ReportQuirk;
}

/** Numbers to which every message is accepted, and that decide what follows. None ends in 7, which means DND. */
const numbers: readonly DeliveryNumber[] = [
  {
    number: '2348030009701',
    what: 'It fails on its way, after it was reported as sent.',
    delivery: 'Failed',
  },
  {
    number: '2348030009702',
    what: 'It is not delivered: the number is on DND.',
    delivery: 'DND Active on Phone Number',
  },
  {
    number: '2348030009703',
    what: 'It expires: the phone stays off for too long.',
    delivery: 'Expired',
  },
  {
    number: '2348030009704',
    what: 'The network rejects it.',
    delivery: 'Rejected',
  },
  {
    number: '2348030009705',
    what: 'It ends with a status that is in no list.',
    delivery: 'Parked at Operator',
  },
  {
    number: '2348030009711',
    what: 'It is delivered, and no report comes. The history knows it.',
    delivery: 'Delivered',
    quirk: 'none',
  },
  {
    number: '2348030009712',
    what: 'It is delivered, and each report comes twice.',
    delivery: 'Delivered',
    quirk: 'twice',
  },
  {
    number: '2348030009713',
    what: 'It is delivered, and that is reported before it is reported as sent.',
    delivery: 'Delivered',
    quirk: 'reversed',
  },
  {
    number: '2348030009714',
    what: 'It is delivered, and each report comes a minute late.',
    delivery: 'Delivered',
    quirk: 'late',
  },
  {
    number: '2348030009715',
    what: 'It is delivered, and before each report comes a forged one, signed with another key.',
    delivery: 'Delivered',
    quirk: 'forged',
  },
];

/** The numbers that decide how an accepted message ends and how that is reported, for the page. */
export const deliveryNumbers: readonly { number: string; what: string }[] = numbers.map(
  ({ number, what }) => ({ number: `+${number}`, what }),
);

const byNumber: ReadonlyMap<string, DeliveryNumber> = new Map(numbers.map((each) => [each.number, each]));

export const magicDelivery = (number: string): DeliveryStatus | undefined => byNumber.get(number)?.delivery;

export const reportQuirkOf = (number: string): ReportQuirk | undefined => byNumber.get(number)?.quirk;
