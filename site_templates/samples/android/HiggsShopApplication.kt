// The Higgs Shop for Android: where the app starts.
// The quickstart shows the region between the two markers.
package com.example.higgsshop

// [start:init]
import android.app.Application
import com.mparticle.MParticle
import com.mparticle.MParticleOptions

class HiggsShopApplication : Application() {
    override fun onCreate() {
        super.onCreate()
        val options = MParticleOptions.builder(this)
            .credentials("YOUR_API_KEY", "YOUR_API_SECRET")
            .environment(MParticle.Environment.Development)
            .build()
        MParticle.start(options)
    }
}
// [end:init]

const val CURRENCY = "USD"
