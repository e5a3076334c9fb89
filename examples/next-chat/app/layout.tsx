import type { ReactNode } from "react";

export const metadata = { title: "Shop" };

const BODY = {
  font: "1rem/1.5 system-ui",
  margin: "2rem auto",
  maxWidth: "40rem",
  overflowWrap: "anywhere",
  padding: "0 1rem",
} as const;

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body style={BODY}>{children}</body>
    </html>
  );
}
