/** Says that a spec uses what no operator has switched on. */
export const NO_FLOW =
  'when, for_each and $cel are switched off here: write each call as a step. The application switches them on with flow() of "@toolrail/pipe/flow".';
