// The Higgs Shop for iOS: where the app starts.
// The quickstart shows the region between the two markers.

// [start:init]
import UIKit
import mParticle_Apple_SDK

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let options = MParticleOptions(key: "YOUR_API_KEY", secret: "YOUR_API_SECRET")
        options.environment = .development
        MParticle.sharedInstance().start(with: options)
        return true
    }
}
// [end:init]

extension AppDelegate {
    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Shop", sessionRole: session.role)
    }
}
