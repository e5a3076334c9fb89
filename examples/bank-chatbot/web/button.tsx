import type { ReactNode } from "react";

interface ButtonProps {
  readonly look?: "primary" | "story";
  readonly disabled?: boolean;
  readonly children: ReactNode;
  /** Left out: it submits its form. */
  readonly onClick?: () => void;
}

export function Button({ look, disabled, children, onClick }: ButtonProps) {
  const type = onClick ? "button" : "submit";
  return (
    <button type={type} className={`button ${look ?? ""}`} disabled={disabled} onClick={onClick}>
      {children}
    </button>
  );
}
