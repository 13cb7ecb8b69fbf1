import type {
  Bank,
  ClaimAtBank,
  ClaimKey,
  ClaimOutcome,
  ClaimPayment,
  ClaimPayments,
  ClaimTerms,
  FoundClaim,
  NewClaim,
} from '../src/platform/banks/bank.ts';

interface Kept {
  claim: ClaimAtBank;
  payments: ClaimPayment[];
}

const DONE: ClaimOutcome = { kind: 'done' };

/** A bank in memory that collects claims, is always there, and is paid by the test. */
export class BankOfTest implements Bank {
  readonly #claims = new Map<string, Kept>();

  /** Claims that can be paid. */
  unpaid(): ClaimKey[] {
    return this.#keysOf(({ claim }) => claim.status === 'unpaid');
  }

  /** Claims with money that can be taken back. */
  paidInPart(): ClaimKey[] {
    return this.#keysOf((one) => paidOf(one) > 0);
  }

  async create({ key, payorId, reference, ...terms }: NewClaim): Promise<ClaimOutcome> {
    if (this.#claims.has(idOf(key))) return { kind: 'refused', reason: 'exists', detail: null };
    const { amountMinor, currency, finalDueOn } = terms;
    const claim: ClaimAtBank = {
      key,
      payorId,
      reference,
      status: 'unpaid',
      collection: 'primary',
      amountMinor,
      currency,
      finalDueOn,
      isPartlyPaid: false,
      dueMinor: amountMinor,
    };
    this.#claims.set(idOf(key), { claim, payments: [] });
    return DONE;
  }

  async change(key: ClaimKey, { amountMinor, finalDueOn }: ClaimTerms): Promise<ClaimOutcome> {
    const { claim } = this.#get(key);
    if (claim.status !== 'unpaid') return { kind: 'refused', reason: claim.status, detail: null };
    Object.assign(claim, { amountMinor, finalDueOn });
    return DONE;
  }

  async cancel(key: ClaimKey): Promise<ClaimOutcome> {
    const { claim } = this.#get(key);
    if (claim.status === 'paid') return { kind: 'refused', reason: 'paid', detail: null };
    claim.status = 'cancelled';
    return DONE;
  }

  async find(key: ClaimKey): Promise<FoundClaim> {
    const kept = this.#claims.get(idOf(key));
    return kept === undefined ? { kind: 'never-came' } : { kind: 'found', claim: { ...kept.claim } };
  }

  async payments(key: ClaimKey): Promise<ClaimPayments> {
    return { kind: 'found', payments: [...this.#get(key).payments] };
  }

  /** @param part percent of what is left of its amount */
  pay(
    key: ClaimKey,
    at: string,
    part: number,
    extra: Pick<ClaimPayment, 'interestMinor' | 'costsMinor'>,
  ): ClaimPayment {
    const kept = this.#get(key);
    const leftMinor = kept.claim.amountMinor - paidOf(kept);
    const principalMinor = Math.max(1, Math.floor((leftMinor * part) / 100));
    const payment: ClaimPayment = {
      kind: 'payment',
      at,
      bookedOn: at.slice(0, 10),
      valueOn: at.slice(0, 10),
      principalMinor,
      discountMinor: 0,
      ...extra,
      // The bank keeps half of the costs.
      depositedMinor: principalMinor + extra.interestMinor + Math.ceil(extra.costsMinor / 2),
    };
    return this.#book(kept, payment);
  }

  /** Takes back all that was paid of a claim, by one reversal of each payment that still stands. */
  reverse(key: ClaimKey, at: string): ClaimPayment[] {
    const kept = this.#get(key);
    const reversed = kept.payments.filter(({ kind }) => kind === 'reversal').length;
    const standing = kept.payments.filter(({ kind }) => kind === 'payment').slice(reversed);
    return standing.map((payment) =>
      this.#book(kept, {
        ...payment,
        kind: 'reversal',
        at,
        bookedOn: at.slice(0, 10),
        valueOn: at.slice(0, 10),
      }),
    );
  }

  #book(kept: Kept, payment: ClaimPayment): ClaimPayment {
    kept.payments.push(payment);
    const { claim } = kept;
    const paidMinor = paidOf(kept);
    const isPaid = paidMinor >= claim.amountMinor;
    if (claim.status !== 'cancelled') claim.status = isPaid ? 'paid' : 'unpaid';
    claim.isPartlyPaid = !isPaid && paidMinor > 0;
    claim.dueMinor = claim.amountMinor - paidMinor;
    return payment;
  }

  #get(key: ClaimKey): Kept {
    const kept = this.#claims.get(idOf(key));
    if (kept === undefined) throw new Error(`There is no claim ${idOf(key)}.`);
    return kept;
  }

  #keysOf(fits: (kept: Kept) => boolean): ClaimKey[] {
    return [...this.#claims.values()].filter(fits).map(({ claim }) => claim.key);
  }
}

function idOf({ claimantId, account, dueOn }: ClaimKey): string {
  return `${claimantId} ${account} ${dueOn}`;
}

function paidOf({ payments }: Kept): number {
  return payments.reduce(
    (sum, { kind, principalMinor }) => sum + (kind === 'payment' ? principalMinor : 0 - principalMinor),
    0,
  );
}
