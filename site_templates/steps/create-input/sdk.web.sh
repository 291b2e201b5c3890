npm install @mparticle/web-sdk
