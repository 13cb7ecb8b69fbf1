import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { read } from '../../calls/api.ts';
import { type Session, sessionApi } from '../../shell/session.ts';
import { LOGIN } from './login-words.ts';

/** Shows a passkey, to log in or to step up. @throws Refusal, and a sentence where the browser shows no passkey */
export function provePasskey(what: 'login' | 'step-up'): () => Promise<Session> {
  const { passkey, 'step-up': stepUp } = sessionApi.session;
  return what === 'login'
    ? async () => {
        const json = await shown(await read(passkey.options.$post()));
        return await read(passkey.verify.$post({ json }));
      }
    : async () => {
        const proof = await shown(await read(stepUp.options.$post()));
        return await read(stepUp.$post({ json: { passkey: proof } }));
      };
}

/** Makes a passkey for the own login. @returns recovery codes with the first second factor */
export async function makePasskey(accountId: string, name: string): Promise<string[] | null> {
  const param = { id: accountId };
  const { passkeys } = sessionApi.accounts[':id'];
  // Optional fields may be undefined in the cloud's type and not in the browser's; in JSON it is the same.
  const optionsJSON = (await read(
    passkeys.options.$post({ param }),
  )) as PublicKeyCredentialCreationOptionsJSON;
  const made = await asked(() => startRegistration({ optionsJSON }));
  const response = { ...made, clientExtensionResults: {} };
  return (await read(passkeys.$post({ param, json: { name, response } }))).recoveryCodes;
}

async function shown(options: object) {
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  const proof = await asked(() => startAuthentication({ optionsJSON }));
  return { ...proof, clientExtensionResults: {} };
}

async function asked<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch {
    // The request was cancelled or timed out, or there is no device: browsers do not report which.
    throw new Error(LOGIN.passkeyFailed);
  }
}
