/** The acts that may need a second person, each above a limit of its own. */
export const LIMITED_ACTS = ['refund', 'waiver', 'credit', 'close'] as const;
export type LimitedAct = (typeof LIMITED_ACTS)[number];

/** Above which amount each needs a second person, in the minor unit of the site's currency; null: it never does. */
export type ApprovalLimits = Readonly<Record<LimitedAct, number | null>>;

export const NO_LIMITS: ApprovalLimits = {
  refund: null,
  waiver: null,
  credit: null,
  close: null,
};
