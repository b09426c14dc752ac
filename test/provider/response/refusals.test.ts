import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { concernOf, refusalReason } from '../../../src/provider/response/refusals.ts';

/** What the words of a refusal concern. */
const words = {
  account: [
    'Unauthorized',
    'Invalid api key',
    'The API key is missing or wrong',
    'Your account is not active',
    'Account has been suspended.',
    'Insufficient balance',
    'Insufficient wallet balance. Kindly top up',
    'You do not have enough credits',
    'Please recharge your SMS wallet',
    'Wrong API key',
    'Your account has been restricted, contact support',
    'Your account isn’t active',
    'Your balance of 2.00 is not enough to send this',
    'You do not have sufficient balance',
    'Balance not sufficient',
    'insufficientbalance',
  ],
  route: [
    'You are not set up on this route',
    'You’re not setup on the dnd route',
    'No Route on your account. Kindly contact your account manager',
    'Sender ID Acme is fine, but the route is not active',
    'Route is not active for this account',
    'You do not have access to this route',
    'No active route found',
    'You aren’t set up on this route',
  ],
  sender: [
    'Invalid Sender Id',
    'ApplicationSenderId not found for applicationId: 7 and senderName: Acme',
    'Sender ID “Acme” is not approved on this route',
    'This sender name has not been registered',
    'Sender Id is blacklisted',
    'Sender ID PalmMarket is not approved',
    'Sender ID Phone Mart of Lagos has not been registered',
    'You are not authorised to use this sender id',
    'Not allowed to send with this sender name',
    'invalid senderid',
    'The sender ID Acme does not exist',
  ],
  device: [
    'Device not found',
    'Device id is disconnected',
    'Device Palm phone could not be found',
    'Device does not exist',
    'Your device has reached the daily limit',
    'Daily limit reached for device 1',
  ],
  country: [
    'Country Inactive. Contact Administrator to activate country',
    'Country is not activated on your account',
    'Country Ghana is inactive',
    'CountryInactive',
  ],
  number: [
    'DND Active on phone number',
    'DND is enabled for this subscriber',
    'The number is on DND',
    'Invalid phone number',
    'Phone number is not valid',
    'Invalid recipient',
    'Wrong phone number',
    'Invalid phonenumber',
    'Sender Acme: phone number 2348031234567 is invalid',
  ],
} as const;

const otherSpellings: Record<string, (text: string) => string> = {
  'in capitals': (text) => text.toUpperCase(),
  'in small letters': (text) => text.toLowerCase(),
  'with other punctuation': (text) => `*** ${text.replace(/[.:,]/g, '').replaceAll(' ', '  -  ')}!`,
  'with underscores': (text) => text.replaceAll(' ', '_'),
};

describe('the words of a refusal', () => {
  for (const [concern, texts] of Object.entries(words)) {
    for (const text of texts) {
      it(`concern the ${concern}: ${text}`, () => {
        const reason = refusalReason(text);
        assert.equal(concernOf(reason ?? ''), concern);
        for (const [how, respell] of Object.entries(otherSpellings)) {
          assert.equal(refusalReason(respell(text)), reason, how);
        }
      });
    }
  }

  it('are no others', () => {
    const others = [
      'Successfully Sent',
      'Bad Request',
      'Invalid number of attempts',
      'Country code 234 is invalid',
      'Balance enquiry does not exist',
      'no Route matched with those values',
      'Route not found',
      'The service is not available',
      'Internal error',
      'Message sent to your device',
    ];
    assert.deepEqual(
      others.map(refusalReason),
      others.map(() => undefined),
    );
    assert.equal(concernOf('rate_limited'), undefined);
  });
});
