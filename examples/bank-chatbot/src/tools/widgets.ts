/** The key of the result `_meta` in which a tool asks the application for a small form. */
const WIDGET_META_KEY = "toolrail.example/widget";

/** What the application calls when the user has chosen. */
export interface WidgetCall {
  readonly tool: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface OptionsWidget {
  readonly type: "options";
  readonly title: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The chosen value is added to the parameters under `map_input_to`. */
  readonly on_event: WidgetCall & { readonly map_input_to: string };
}

export interface ConfirmationWidget {
  readonly type: "confirmation";
  readonly title: string;
  readonly on_confirm: WidgetCall;
  readonly on_cancel: WidgetCall;
  /** What the buttons say; "Confirm" and "Cancel" where left out. */
  readonly confirm_label?: string;
  readonly cancel_label?: string;
}

/** A value the customer enters; it is added to the parameters under `map_input_to`. */
export interface InputWidget {
  readonly type: "number" | "datetime" | "text";
  readonly title: string;
  readonly on_event: WidgetCall & { readonly map_input_to: string };
  /** The unit of a number, such as "USD". */
  readonly unit?: string;
  /** What the field shows while it is empty. */
  readonly placeholder?: string;
  /** Bounds of a number, or of a date and time as ISO 8601. */
  readonly min?: number | string;
  readonly max?: number | string;
}

export type Widget = OptionsWidget | ConfirmationWidget | InputWidget;

export function widgetMeta(widget: Widget): Record<string, unknown> {
  return { [WIDGET_META_KEY]: widget };
}
