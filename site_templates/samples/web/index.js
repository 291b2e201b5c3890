// The Higgs Shop for Web: where the app starts.
// The quickstart shows the region between the two markers.
import { createRoot } from "react-dom/client";
import { Shop } from "./Shop";

// [start:init]
import mParticle from "@mparticle/web-sdk";

const apiKey = "YOUR_API_KEY";
const config = { isDevelopmentMode: true };

mParticle.init(apiKey, config);
// [end:init]

createRoot(document.getElementById("root")).render(<Shop />);
